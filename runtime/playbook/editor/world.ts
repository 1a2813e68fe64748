import type { Json } from '../../domain/index.ts'
import { codesOfPlugin, type Plugin } from '../../plugin/index.ts'
import { findSteps, isObject, keysOf } from '../compile/names.ts'

/** What an editor may complete: the skills that there are, and the names that playbooks use. */
export interface EditorWorld {
  readonly integrations: readonly EditorIntegration[]
  /** Names of playbooks that may be called by another: those without an alert type. */
  readonly playbooks: readonly string[]
  readonly steps: readonly string[]
  readonly slots: readonly string[]
}

export interface EditorIntegration {
  readonly id: string
  /** The error codes that a call may end with. */
  readonly codes: readonly string[]
  readonly skills: ReadonlyMap<string, EditorSkill>
}

export interface EditorSkill {
  readonly impact: 'read' | 'write' | 'high'
  readonly document: {
    readonly title: string
    readonly purpose: string
    readonly warnings?: readonly string[]
    readonly input: { readonly [key: string]: Json }
  }
}

/** What an editor completes of loaded plugins. */
export function integrationsOf(plugins: readonly Plugin[]): readonly EditorIntegration[] {
  return plugins.map((plugin) => ({ id: plugin.id, codes: codesOfPlugin(plugin), skills: plugin.skills })).sort((a, b) => (a.id < b.id ? -1 : 1))
}

/** The names in playbooks that an editor completes; what of a playbook does not fit the schema is passed over. */
export function namesIn(documents: readonly Json[]): Pick<EditorWorld, 'playbooks' | 'steps' | 'slots'> {
  const playbooks = documents.flatMap((document) =>
    isObject(document) && document['alert_type'] === undefined && typeof document['playbook'] === 'string' ? [document['playbook']] : [],
  )
  const steps = documents.flatMap((document) =>
    isObject(document)
      ? [...findSteps(document['steps'], ['steps'])].flatMap(({ step }) => (typeof step['id'] === 'string' ? [step['id']] : []))
      : [],
  )
  const slots = documents.flatMap((document) => (isObject(document) ? keysOf(document['connections']) : []))
  return { playbooks: sorted(playbooks), steps: sorted(steps), slots: sorted(slots) }
}

function sorted(names: readonly string[]): readonly string[] {
  return [...new Set(names)].sort()
}

import { isObject, type Json } from '../../domain/index.ts'
import { codesOfPlugin, type Plugin } from '../../plugin/index.ts'
import { findSteps, keysOf } from '../compile/index.ts'
import { checkInput } from '../grammar/index.ts'
import { playbookNamePattern } from '../grammar/shared.ts'

type Schema = { readonly [key: string]: Json }

/** What an editor can complete: the known skills, and the names that playbooks use. */
export interface EditorWorld {
  readonly integrations: readonly EditorIntegration[]
  /** The input schemas of sub-playbooks, by name. */
  readonly playbooks: ReadonlyMap<string, Schema>
  readonly steps: readonly string[]
  readonly slots: readonly string[]
}

export interface EditorIntegration {
  readonly id: string
  /** The error codes that a call can end with. */
  readonly codes: readonly string[]
  readonly skills: ReadonlyMap<string, EditorSkill>
}

export interface EditorSkill {
  readonly impact: 'read' | 'write' | 'high'
  readonly document: {
    readonly title: string
    readonly purpose: string
    readonly warnings?: readonly string[]
    readonly input: Schema
  }
}

/** Returns what an editor can complete from the loaded plugins. */
export function integrationsOf(plugins: readonly Plugin[]): readonly EditorIntegration[] {
  return plugins.map((plugin) => ({ id: plugin.id, codes: codesOfPlugin(plugin), skills: plugin.skills })).sort((a, b) => (a.id < b.id ? -1 : 1))
}

/** Returns the names in playbooks that an editor can complete. Skips parts that do not fit the schema. */
export function namesIn(documents: readonly Json[]): Pick<EditorWorld, 'playbooks' | 'steps' | 'slots'> {
  const playbooks = documents.flatMap((document): [string, Schema][] => {
    if (!isObject(document) || document['alert_type'] !== undefined) return []
    const { playbook: name, inputs } = document
    return typeof name === 'string' && nameForm.test(name) ? [[name, declaredInputs(inputs)]] : []
  })
  const steps = documents.flatMap((document) =>
    isObject(document)
      ? [...findSteps(document['steps'], ['steps'])].flatMap(({ step }) => (typeof step['id'] === 'string' ? [step['id']] : []))
      : [],
  )
  const slots = documents.flatMap((document) => (isObject(document) ? keysOf(document['connections']) : []))
  return { playbooks: new Map(playbooks.sort(([a], [b]) => (a < b ? -1 : 1))), steps: sorted(steps), slots: sorted(slots) }
}

const nameForm = new RegExp(playbookNamePattern)

/** Returns the schema of a sub-playbook's inputs. An input with an invalid declaration may have any value. */
function declaredInputs(inputs: Json | undefined): Schema {
  const declared = isObject(inputs) ? Object.entries(inputs) : []
  const properties = declared.map(([name, input]): [string, Json] => {
    const { required: _, from: __, unfit: ___, ...shape } = isObject(input) && checkInput(input) ? (input as Schema) : {}
    return [name, shape]
  })
  const required = declared.flatMap(([name, input]) => (isObject(input) && input['required'] === true ? [name] : []))
  return { type: 'object', properties: Object.fromEntries(properties), additionalProperties: false, ...(required.length > 0 && { required }) }
}

function sorted(names: readonly string[]): readonly string[] {
  return [...new Set(names)].sort()
}

import { isObject, type Json, normaliseType } from '../../domain/index.ts'
import type { BundledScript, Plugin } from '../../plugin/index.ts'
import { bundleScript } from '../../plugin/index.ts'
import { type DocumentData, readYaml } from '../../yaml/index.ts'
import {
  compilePlaybook,
  compilerFinding,
  namesRunBy,
  type PlaybookSource,
  type SlotUse,
  scriptsIn,
  slotUsesIn,
  withPlaybooks,
} from '../compile/index.ts'
import { editorSchema, integrationsOf, namesIn } from '../editor/index.ts'
import { type Finding, inOrder } from '../findings/index.ts'
import { generatePlaybook } from '../generate/index.ts'
import { graphOf, type PlaybookGraph, skillFacts } from '../graph/index.ts'
import { type Impact, impactOf } from '../impact/index.ts'
import { playbookLimits } from '../limits.ts'
import { examineAll, type KnownConnection, type LintWorld, lintWorld, type PlaybookFile, sketchOf } from '../lint/index.ts'
import type { Plan } from '../plan.ts'
import { type Difference, differenceOf, type Version } from './difference.ts'

/** What a playbook is checked against, besides plugins. */
export interface Around {
  /** The connections that its runs may use; null: they are not known. */
  readonly connections: readonly KnownConnection[] | null
  /** The sub-playbooks that it runs, directly or through others, by name. */
  readonly sources: ReadonlyMap<string, PlaybookSource>
  /** The names of all sub-playbooks that it could run. */
  readonly names: readonly string[]
  /** Why it runs too many others; null: it does not. */
  readonly excess: string | null
}

/** What a playbook's text says about itself. The text need not compile. */
export interface Outline {
  readonly name: string
  /** Its alert types, normalised; empty: it is a sub-playbook. */
  readonly types: readonly string[]
  /** The names of the playbooks that it runs. */
  readonly runs: readonly string[]
  readonly slots: readonly SlotUse[]
  /** Whether it has a name or an alert type, and so a place where it could be active. */
  readonly named: boolean
}

/** The facts about a playbook that compiles. */
export type ExaminedPlaybook = Pick<Plan, 'name' | 'types' | 'slots'> & {
  /** The sub-playbooks that it runs. */
  readonly playbooks: Readonly<Record<string, Pick<Plan, 'name' | 'slots'>>>
  readonly impact: Impact
}

export interface Examination {
  /** In the order of the file. */
  readonly findings: readonly Finding[]
  /** Null: a finding is an error. */
  readonly playbook: ExaminedPlaybook | null
}

/** A playbook's graph, or why there is none. */
export interface DrawnPlaybook {
  /** Null: a finding is an error. */
  readonly graph: PlaybookGraph | null
  readonly findings: readonly Finding[]
}

/** A playbook that was read, but not yet compiled. */
export interface ReadPlaybook {
  readonly document: DocumentData
  /** The compiled scripts, by source. */
  readonly scripts: ReadonlyMap<string, BundledScript>
}

type Plugins = ReadonlyMap<string, Plugin>

/** The tasks. Each takes and returns plain data. */
export const tasks = {
  /** Null for a text that is not YAML, or is too large. */
  outline(texts: readonly string[]): readonly (Outline | null)[] {
    return texts.map(outlineOf)
  },

  examine({ file, around }: { readonly file: PlaybookFile; readonly around: Around }, plugins: Plugins): Examination {
    const world = worldOf(around, plugins)
    const { plan, findings } = examineAll(file.text, file.file, world)
    const all = around.excess === null ? findings : inOrder([...findings, excessive(file, around.excess)])
    if (plan === null || all.some(({ severity }) => severity === 'error')) return { findings: all, playbook: null }
    const { name, types, slots, playbooks } = plan
    const subs = Object.entries(playbooks).map(([sub, own]) => [sub, { name: own.name, slots: own.slots }])
    return { findings: all, playbook: { name, types, slots, playbooks: Object.fromEntries(subs), impact: impactOf(plan, world) } }
  },

  /** Only checks that the playbook compiles. @throws TocsinError `yaml_invalid`, `yaml_too_large`, `playbook_invalid` */
  compile({ file, around }: { readonly file: PlaybookFile; readonly around: Around }, plugins: Plugins): null {
    compilePlaybook(file.text, file.file, worldOf(around, plugins))
    return null
  },

  /** @throws TocsinError `yaml_invalid`, `yaml_too_large` */
  read({ text, file }: PlaybookFile): ReadPlaybook {
    const document = readYaml(text, file, playbookLimits)
    return { document, scripts: new Map(scriptsIn(document.value).map((source) => [source, bundleScript(source)])) }
  },

  /** The graph of a playbook, even if lint finds errors in it. Null: it does not compile; the findings say why. */
  graph({ file, around }: { readonly file: PlaybookFile; readonly around: Around }, plugins: Plugins): DrawnPlaybook {
    const world = worldOf(around, plugins)
    const { sketch, findings } = sketchOf(file.text, file.file, world)
    return { graph: sketch && graphOf(sketch, skillFacts(plugins)), findings }
  },

  difference({ from, to }: { readonly from: Version; readonly to: Version }): Difference {
    return differenceOf(from, to)
  },

  /** The schema for editors. Texts that cannot be read add no names. */
  schema(texts: readonly string[], plugins: Plugins): Json {
    return editorSchema({ integrations: integrationsOf([...plugins.values()]), ...namesIn(texts.flatMap(documentOf)) })
  },

  generate(task: { readonly type: string; readonly content: string; readonly connected: ReadonlySet<string> }, plugins: Plugins): string {
    return generatePlaybook({ ...task, integrations: [...plugins.values()] })
  },
} as const

function documentOf(text: string): readonly Json[] {
  try {
    return [readYaml(text, '', playbookLimits).value]
  } catch {
    return []
  }
}

function worldOf({ connections, sources, names }: Around, plugins: Plugins): LintWorld {
  return withPlaybooks({ ...lintWorld(plugins, connections), playbooks: () => names }, sources)
}

function excessive({ file }: PlaybookFile, message: string): Finding {
  return compilerFinding('playbook_too_large', { field: 'steps', message, file, line: 1, column: 1 })
}

function outlineOf(text: string): Outline | null {
  let value: DocumentData['value']
  try {
    value = readYaml(text, '', playbookLimits).value
  } catch {
    return null
  }
  if (!isObject(value)) return null
  const { playbook, alert_type: type } = value
  const types = (Array.isArray(type) ? (type as readonly unknown[]) : [type]).filter(
    (each): each is string => typeof each === 'string' && each.trim() !== '',
  )
  return {
    name: typeof playbook === 'string' ? playbook : 'unnamed',
    types: [...new Set(types.map(normaliseType))],
    runs: namesRunBy(value),
    slots: slotUsesIn(value),
    named: typeof playbook === 'string' || types.length > 0,
  }
}

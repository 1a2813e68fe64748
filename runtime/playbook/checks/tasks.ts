import { normaliseType } from '../../domain/index.ts'
import type { BundledScript, Plugin } from '../../plugin/index.ts'
import { bundleScript } from '../../plugin/index.ts'
import { type DocumentData, readYaml } from '../../yaml/index.ts'
import { isObject } from '../compile/names.ts'
import { namesRunBy, scriptsIn, withPlaybooks } from '../compile/with-playbooks.ts'
import { compilePlaybook, type PlaybookSource } from '../compile.ts'
import { type Finding, finding, inOrder } from '../findings/index.ts'
import { generatePlaybook } from '../generate.ts'
import { type Impact, impactOf } from '../impact/impact.ts'
import { playbookLimits } from '../limits.ts'
import { examineAll, type KnownConnection, type LintWorld, lintWorld, type PlaybookFile } from '../lint/index.ts'
import type { Plan } from '../plan.ts'
import { type Difference, differenceOf, type Version } from './difference.ts'

/** What is around a playbook when it is checked. */
export interface Around {
  /** The connections that its runs may use; null: not known. */
  readonly connections: readonly KnownConnection[] | null
  /** The sub-playbooks that it runs, and those that they run, by name. */
  readonly sources: ReadonlyMap<string, PlaybookSource>
  /** The names of all that it might run. */
  readonly names: readonly string[]
  /** Why it may not run all these; null: it may. */
  readonly excess: string | null
}

/** What a text says of itself, as far as it can be read; it need not compile. */
export interface Outline {
  readonly name: string
  /** Normalised; empty: a sub-playbook. */
  readonly types: readonly string[]
  /** The names of the playbooks that it runs. */
  readonly runs: readonly string[]
  /** Whether it has a name or an alert type, and so a place where it could be active. */
  readonly named: boolean
}

/** What is known of a playbook that may become active. */
export type ExaminedPlaybook = Pick<Plan, 'name' | 'types' | 'slots'> & {
  /** Those that it runs. */
  readonly playbooks: Readonly<Record<string, Pick<Plan, 'name' | 'slots'>>>
  readonly impact: Impact
}

export interface Examination {
  /** In the order of the file. */
  readonly findings: readonly Finding[]
  /** Null where a finding is an error. */
  readonly playbook: ExaminedPlaybook | null
}

/** A playbook as it was read, for who compiles it. */
export interface ReadPlaybook {
  readonly document: DocumentData
  /** By source. */
  readonly scripts: ReadonlyMap<string, BundledScript>
}

type Plugins = ReadonlyMap<string, Plugin>

/** Each takes and gives plain data. */
export const tasks = {
  /** Null of a text that cannot be read at all. */
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

  /** Nothing where it compiles. @throws TocsinError `yaml_invalid`, `yaml_too_large`, `playbook_invalid` */
  compile({ file, around }: { readonly file: PlaybookFile; readonly around: Around }, plugins: Plugins): null {
    compilePlaybook(file.text, file.file, worldOf(around, plugins))
    return null
  },

  /** @throws TocsinError `yaml_invalid`, `yaml_too_large` */
  read({ text, file }: PlaybookFile): ReadPlaybook {
    const document = readYaml(text, file, playbookLimits)
    return { document, scripts: new Map(scriptsIn(document.value).map((source) => [source, bundleScript(source)])) }
  },

  difference({ from, to }: { readonly from: Version; readonly to: Version }): Difference {
    return differenceOf(from, to)
  },

  generate(task: { readonly type: string; readonly content: string; readonly connected: ReadonlySet<string> }, plugins: Plugins): string {
    return generatePlaybook({ ...task, integrations: [...plugins.values()] })
  },
} as const

function worldOf({ connections, sources, names }: Around, plugins: Plugins): LintWorld {
  return withPlaybooks({ ...lintWorld(plugins, connections), playbooks: () => names }, sources)
}

function excessive({ file }: PlaybookFile, message: string): Finding {
  return finding('playbook_too_large', { field: 'steps', message, file, line: 1, column: 1 })
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
    named: typeof playbook === 'string' || types.length > 0,
  }
}

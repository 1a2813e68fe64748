import type { Json } from '../domain/index.ts'
import type { DocumentPath } from '../yaml/index.ts'
import type { WorkBudget } from './work.ts'

/** The values that templates and conditions may read, by root: `alert`, `inputs`, `steps`, `vars`, `case`, `organization`, `connections`, `run`, a loop's `as`. */
export type Context = Readonly<Record<string, Json | undefined>>

/** A dotted path that an expression reads, split: `steps.user.output` is ['steps', 'user', 'output']. */
export type Path = readonly string[]

/** A compiled `with`, `set`, `query`, …: a YAML value whose strings may hold `{{ … }}`. */
export interface ValueTemplate {
  /** The value before rendering. */
  readonly source: Json
  /** Every path it reads, for lint and for the types. */
  readonly reads: readonly Path[]
  /** True when it has no `{{ … }}` at all. */
  readonly constant: boolean
  /**
   * A string that is one `{{ … }}` and nothing else keeps its value's type, and is undefined when the value is missing; a key of
   * an object or an item of a list whose value is undefined is left out. Inside text a missing value is an error.
   * @param together the work budget of the run; null: no run
   * @throws TocsinError `template_failed`, `evaluation_exceeded`, `run_evaluation_exceeded`
   */
  render(context: Context, together?: WorkBudget | null): Json | undefined
}

/** A compiled json-logic rule. */
export interface Condition {
  /** The json-logic rule. */
  readonly source: Json
  readonly reads: readonly Path[]
  /**
   * @param together the work budget of the run; null: no run
   * @throws TocsinError `condition_failed`, `evaluation_exceeded`, `run_evaluation_exceeded`
   */
  test(context: Context, together?: WorkBudget | null): boolean
}

/** Where in a compiled value a path is read. */
export interface ReadSite {
  readonly path: Path
  /** From the compiled value down to the string or rule. */
  readonly at: DocumentPath
  /** Characters from the start of that string, from 0. */
  readonly offset: number
}

/** As a compiler of documents needs it: every read can be shown in the file. */
export interface Located {
  readonly sites: readonly ReadSite[]
}

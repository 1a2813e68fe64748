import type { Json } from '../domain/index.ts'
import type { DocumentPath } from '../yaml/index.ts'
import type { WorkBudget } from './work.ts'

/** The values that templates and conditions may read, by root: `alert`, `inputs`, `steps`, `vars`, `case`, `organization`, `connections`, `run`, a loop's `as`. */
export type Context = Readonly<Record<string, Json | undefined>>

/** The parts of a dotted path that an expression reads: `steps.user.output` is ['steps', 'user', 'output']. */
export type Path = readonly string[]

/** A compiled YAML value whose strings may contain `{{ … }}`, such as `with`, `set` or `query`. */
export interface ValueTemplate {
  /** The value before rendering. */
  readonly source: Json
  /** Every path that it reads, for lint and for the types. */
  readonly reads: readonly Path[]
  /** True if it contains no template. */
  readonly constant: boolean
  /**
   * Renders the value. A string that is a single `{{ … }}` keeps the type of its value. If that value is missing, the result is undefined,
   * and objects and lists leave the member or item out. Inside text, a missing value is an error.
   * @param together the work budget of the run. Null if there is no run
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
   * @param together the work budget of the run. Null if there is no run
   * @throws TocsinError `condition_failed`, `evaluation_exceeded`, `run_evaluation_exceeded`
   */
  test(context: Context, together?: WorkBudget | null): boolean
}

/** The place in a compiled value where a path is read. */
export interface ReadSite {
  readonly path: Path
  /** The path from the compiled value to the string or rule. */
  readonly at: DocumentPath
  /** The offset in that string, in characters from 0. */
  readonly offset: number
}

/** For compilers of documents, which show in the file where a path is read. */
export interface Located {
  readonly sites: readonly ReadSite[]
}

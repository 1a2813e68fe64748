import { isTocsinError, messageOf, type TocsinError } from '../../../../../errors/index.ts'
import type { Coverage, TestFile, TestResult } from '../../../../../rehearsal/index.ts'

/** What came of one file of tests: the tests, or why there are none. */
export type FileReport =
  | { readonly file: string; readonly error: unknown }
  | { readonly file: string; readonly tests: TestFile; readonly results: readonly TestResult[]; readonly coverage: Coverage }

/** What came of all. */
export interface Report {
  readonly files: readonly FileReport[]
  /** The coverage is to be told. */
  readonly covering: boolean
  /** Percent of branches that each playbook must have covered; null: any. */
  readonly least: number | null
}

export interface Tally {
  readonly passed: number
  readonly failed: number
  /** Files that could not be read as tests. */
  readonly broken: number
  /** Playbooks with less coverage than they must have. */
  readonly uncovered: number
}

export function tallyOf({ files, least }: Report): Tally {
  const results = files.flatMap((file) => ('results' in file ? file.results : []))
  const failed = results.filter(({ problems }) => problems.length > 0).length
  const broken = files.filter((file) => 'error' in file).length
  const uncovered = files.filter((file) => 'coverage' in file && least !== null && file.coverage.percent < least).length
  return { passed: results.length - failed, failed, broken, uncovered }
}

/** Every place that is wrong in a file, or its only message. */
export function explanations(error: unknown): readonly string[] {
  if (!isTocsinError(error)) return [messageOf(error)]
  const { places } = error as TocsinError
  if (places.length === 0) return [`${error.message} [${error.code}]`]
  return places.map(({ file, line, column, field, message }) => `${file ?? ''}:${line ?? 1}:${column ?? 1} ${field}: ${message}`)
}

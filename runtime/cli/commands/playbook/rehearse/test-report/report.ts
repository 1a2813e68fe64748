import { isTocsinError, messageOf, type TocsinError } from '../../../../../errors/index.ts'
import type { Coverage, TestFile, TestResult } from '../../../../../rehearsal/index.ts'

/** The results of one test file, or the error if it could not be used. */
export type FileReport =
  | { readonly file: string; readonly error: unknown }
  | { readonly file: string; readonly tests: TestFile; readonly results: readonly TestResult[]; readonly coverage: Coverage }

/** The results of all test files. */
export interface Report {
  readonly files: readonly FileReport[]
  /** Whether to show the coverage. */
  readonly covering: boolean
  /** The percentage of branches that the tests of each playbook must cover. Null: no minimum. */
  readonly least: number | null
}

export interface Tally {
  readonly passed: number
  readonly failed: number
  /** Files that could not be used as tests. */
  readonly broken: number
  /** Playbooks with less coverage than required. */
  readonly uncovered: number
}

/** Counts the tests that passed and failed, the files with mistakes, and the playbooks whose tests take too few branches. */
export function tallyOf({ files, least }: Report): Tally {
  const results = files.flatMap((file) => ('results' in file ? file.results : []))
  const failed = results.filter(({ problems }) => problems.length > 0).length
  const broken = files.filter((file) => 'error' in file).length
  const uncovered = files.filter((file) => 'coverage' in file && least !== null && file.coverage.percent < least).length
  return { passed: results.length - failed, failed, broken, uncovered }
}

/** Explains an error of a file: one line for each wrong place, or the message if no place is named. */
export function explanations(error: unknown): readonly string[] {
  if (!isTocsinError(error)) return [messageOf(error)]
  const { places } = error as TocsinError
  if (places.length === 0) return [`${error.message} [${error.code}]`]
  return places.map(({ file, line, column, field, message }) => `${file ?? ''}:${line ?? 1}:${column ?? 1} ${field}: ${message}`)
}

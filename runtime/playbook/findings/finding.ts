import { cutText } from '../../domain/index.ts'
import type { ErrorPlace } from '../../errors/index.ts'
import type { Span } from '../../yaml/index.ts'
import type { FindingEntries, FindingSeverity } from './entry.ts'

/** One change of a file's text: `text` replaces what is between the offsets `start` and `end`. */
export interface Edit extends Span {
  readonly text: string
}

/** A change that certainly resolves a finding. */
export interface Fix {
  readonly title: string
  readonly edits: readonly Edit[]
}

/** One mistake, or likely mistake, in a playbook. */
export interface Finding<Code extends string = string> {
  readonly code: Code
  readonly severity: FindingSeverity
  readonly message: string
  readonly file: string
  /** From 1. */
  readonly line: number
  readonly column: number
  /** The dotted path of the key in the file. */
  readonly field: string
  readonly fix?: Fix
}

/** The longest message or path, in characters. Both may quote a key or a value that is as long as the file. */
const longestText = 1_000

/** Makes findings of these codes. Each gets the severity of its code. */
export type FindingMaker<Code extends string> = (code: Code, details: Omit<Finding, 'code' | 'severity'>) => Finding<Code>

/** Returns a function that makes findings of these codes. */
export function findingsOf<Code extends string>(entries: FindingEntries<Code>): FindingMaker<Code> {
  return (code, { message, field, ...place }) => ({
    code,
    severity: entries[code].severity,
    message: cutText(message, longestText),
    field: cutText(field, longestText),
    ...place,
  })
}

/** Returns the finding as an error shows it. */
export function placeOfFinding({ code, message, file, line, column, field }: Finding): ErrorPlace {
  return { field, message, code, file, line, column }
}

/** Sorts by line and column. */
export function inOrder<Code extends string>(findings: readonly Finding<Code>[]): readonly Finding<Code>[] {
  return findings.toSorted((a, b) => a.line - b.line || a.column - b.column)
}

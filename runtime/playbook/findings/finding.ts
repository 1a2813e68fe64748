import type { ErrorPlace } from '../../errors/index.ts'
import type { Span } from '../../yaml/index.ts'
import type { FindingSeverity } from './entry.ts'
import { type FindingCode, findingRegistry } from './registry/index.ts'

/** One change of a file's text: `start` and `end` are offsets from 0, `text` takes the place of what lies between. */
export interface Edit extends Span {
  readonly text: string
}

/** What puts a finding right without doubt. */
export interface Fix {
  readonly title: string
  readonly edits: readonly Edit[]
}

/** One thing that is wrong with a playbook, or likely to be. */
export interface Finding {
  readonly code: FindingCode
  readonly severity: FindingSeverity
  readonly message: string
  readonly file: string
  /** From 1. */
  readonly line: number
  readonly column: number
  /** Dotted path of the key in the file. */
  readonly field: string
  readonly fix?: Fix
}

/** Characters of a message or a path. A key or a value that it quotes may have as many as the file. */
const longestText = 1_000

/** A finding with the severity of its code. */
export function finding(code: FindingCode, { message, field, ...place }: Omit<Finding, 'code' | 'severity'>): Finding {
  return { code, severity: findingRegistry[code].severity, message: cut(message), field: cut(field), ...place }
}

function cut(text: string): string {
  return text.length > longestText ? `${text.slice(0, longestText)}…` : text
}

/** As an error shows it. */
export function placeOfFinding({ code, message, file, line, column, field }: Finding): ErrorPlace {
  return { field, message, code, file, line, column }
}

/** By line and column. */
export function inOrder(findings: readonly Finding[]): readonly Finding[] {
  return findings.toSorted((a, b) => a.line - b.line || a.column - b.column)
}

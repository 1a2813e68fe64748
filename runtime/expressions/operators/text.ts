import type { Json } from '../../domain/index.ts'
import { compilePattern } from '../pattern.ts'
import { kindOf, numberOf, type Operator, operator, textOf } from './types.ts'

const many = Number.MAX_SAFE_INTEGER

function piece(value: Json): string {
  if (typeof value === 'object') throw new Error(`joins texts, numbers and booleans, not ${kindOf(value)}`)
  return String(value)
}

/** As json-logic has it: from `start` (negative: from the end), `length` characters, or with a negative length all but that many. */
function part(text: string, start: number, length: number | undefined): string {
  const rest = text.slice(start)
  return length === undefined ? rest : rest.slice(0, length)
}

export const text: Readonly<Record<string, Operator>> = {
  cat: operator(1, many, (...values) => values.map(piece).join('')),
  substr: operator(2, 3, (value, start, length) => part(textOf(value), numberOf(start), length === undefined ? undefined : numberOf(length))),
  lower: operator(1, 1, (value) => textOf(value).toLowerCase()),
  upper: operator(1, 1, (value) => textOf(value).toUpperCase()),
  trim: operator(1, 1, (value) => textOf(value).trim()),
  starts_with: operator(2, 2, (value, start) => textOf(value).startsWith(textOf(start))),
  ends_with: operator(2, 2, (value, end) => textOf(value).endsWith(textOf(end))),
  // Anywhere in the text, RE2 semantics.
  matches: operator(2, 2, (value, pattern) => compilePattern(textOf(pattern)).test(textOf(value))),
}

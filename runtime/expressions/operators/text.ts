import type { Json } from '../../domain/index.ts'
import { patternIn } from '../pattern/index.ts'
import type { Meter, Work } from '../work.ts'
import { ofCharacters, ofText } from './cost.ts'
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

/** Joins texts; what comes out is paid for before it is made. */
function cat(meter: Meter, values: readonly Json[]): string {
  const pieces = values.map(piece)
  meter.charge(values.reduce<Work>((sum, value) => sum + ofText(value), 0) + ofCharacters(pieces.reduce((sum, { length }) => sum + length, 0)))
  return pieces.join('')
}

/** With another case. The few characters that become several take far longer than the others. */
function cased(meter: Meter, value: Json | undefined, change: (text: string) => string): string {
  const text = textOf(value)
  meter.charge(1 + text.length / 2)
  const changed = change(text)
  meter.charge(Math.max(changed.length - text.length, 0) * 4)
  return changed
}

function paid(meter: Meter, value: Json | undefined): string {
  const text = textOf(value)
  meter.charge(ofCharacters(text.length))
  return text
}

export const text: Readonly<Record<string, Operator>> = {
  cat: operator(1, many, (meter, ...values) => cat(meter, values)),
  substr: operator(2, 3, (meter, value, start, length) =>
    part(paid(meter, value), numberOf(start), length === undefined ? undefined : numberOf(length)),
  ),
  lower: operator(1, 1, (meter, value) => cased(meter, value, (given) => given.toLowerCase())),
  upper: operator(1, 1, (meter, value) => cased(meter, value, (given) => given.toUpperCase())),
  trim: operator(1, 1, (meter, value) => paid(meter, value).trim()),
  starts_with: operator(2, 2, (meter, value, start) => textOf(value).startsWith(paid(meter, start))),
  ends_with: operator(2, 2, (meter, value, end) => textOf(value).endsWith(paid(meter, end))),
  // Anywhere in the text, RE2 semantics. A pattern that is written out is compiled once (`logic.ts`).
  matches: operator(2, 2, (meter, value, pattern) => patternIn(meter, textOf(pattern)).test(textOf(value), meter)),
}

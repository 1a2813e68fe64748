import type { Json } from '../../../domain/index.ts'
import type { DocumentPath } from '../../../yaml/index.ts'
import { describe, isAny, type Type } from '../model/index.ts'
import type { Argument } from '../operators/index.ts'
import type { ProblemCode } from '../problem.ts'
import { operation } from './facts.ts'

interface Teller {
  tell(code: ProblemCode, at: DocumentPath, message: string): void
}

/** Milliseconds: nobody asks whether something is younger than a second. */
const shortest = 1_000
const orders = new Set(['<', '<=', '>', '>='])

/** `age` is in milliseconds, and small numbers are likely meant as minutes, hours or days. */
export function pitfallOfAge(name: string, args: readonly Argument[], teller: Teller): void {
  if (!orders.has(name) || !args.some(({ written }) => operation(written)?.name === 'age')) return
  const small = args.find(({ written }) => typeof written === 'number' && written > 0 && written < shortest)
  if (small !== undefined)
    teller.tell(
      'logic_pitfall',
      small.at,
      `\`age\` is in milliseconds, and ${String(small.written)} of them are less than a second; an hour is 3600000`,
    )
}

/** What counts as true may surprise: every text that is not empty, `"false"` and `"0"` too. */
export function pitfallOfTruth(name: string, arg: Json, type: Type, at: DocumentPath, teller: Teller): void {
  if (isAny(type)) return
  if (Array.isArray(arg)) {
    teller.tell(
      'logic_pitfall',
      at,
      `\`${name}\` of a list that is written out asks whether it is empty; for its items use \`some\`, \`all\` or \`none\``,
    )
    return
  }
  const values = type.text?.values
  const false_ = values?.find((value) => /^(?:false|no|off|0)$/i.test(value))
  if (false_ !== undefined)
    teller.tell(
      'logic_pitfall',
      at,
      `every text that is not empty counts as true, "${false_}" too; compare it instead (the value is ${describe(type)})`,
    )
}

/** `{"or": [condition, "ACTIVE"]}` where only its truth counts: the last argument is no comparison, and always true. */
export function pitfallOfOr(rule: Json, at: DocumentPath, teller: Teller): void {
  const found = operation(rule)
  const last = found?.name === 'or' && found.args.length > 1 ? found.args.at(-1) : undefined
  if (last === undefined || (typeof last !== 'string' && typeof last !== 'number') || last === '' || last === 0) return
  const told = `${JSON.stringify(last)} by itself counts as true, so that this \`or\` always holds; to compare with several values, use \`in\` with a list`
  teller.tell('logic_pitfall', [...at, 'or', (found?.args.length ?? 1) - 1], told)
}

import type { Json } from '../../../domain/index.ts'
import { ofCharacters } from '../../cost.ts'
import { compareLong } from '../../long-integer.ts'
import { boolean, has, mayBeLong, type Type } from '../../typing/model/index.ts'
import { operation } from '../../typing/rules/facts.ts'
import { kindOf } from '../../values.ts'
import { need, type OperatorCall } from '../call.ts'
import type { Evaluate, ValueOperator } from '../definition.ts'
import { durationHint } from '../duration.ts'
import { kindsOf } from './sides.ts'

type Test = (a: number | string, b: number | string) => boolean

/** Evaluates whether each argument and the next one pass the test. */
function ordered(test: Test): Evaluate {
  return (meter, ...values) => {
    for (let index = 1; index < values.length; index += 1) {
      const a = values[index - 1]
      const b = values[index]
      for (const value of [a, b]) if (typeof value === 'string') meter.charge(ofCharacters(value.length))
      const long = compareLong(a, b)
      if (long !== null) {
        if (!test(long, 0)) return false
        continue
      }
      if (!((typeof a === 'number' && typeof b === 'number') || (typeof a === 'string' && typeof b === 'string'))) {
        throw new Error(`needs two numbers or two texts, not ${kindOf(a)} and ${kindOf(b)}`)
      }
      if (!test(a, b)) return false
    }
    return true
  }
}

/** `<`, `<=`, `>` and `>=` are one definition with the test as its parameter. */
function order(name: '<' | '<=' | '>' | '>=', test: Test, text: string, example: Json): ValueOperator {
  return {
    name,
    text,
    example,
    from: 'json-logic',
    // As in json-logic, only `<` and `<=` take three arguments.
    takes: [2, name.startsWith('<') ? 3 : 2],
    infix: { written: name, binding: 4 },
    ofItself: name.endsWith('='),
    evaluate: ordered(test),
    types,
  }
}

function types(call: OperatorCall): Type {
  tellSmallAge(call)
  const fit = call.args.map((_, index) => need(call, index, ['number', 'text'], 'two numbers or two texts'))
  if (fit.includes(false)) return boolean
  tellLengthBelowZero(call)
  for (const [index, b] of call.args.entries()) {
    const a = call.args[index - 1]
    if (a === undefined) continue
    const both = (['number', 'text'] as const).some((kind) => has(a.type, kind) && has(b.type, kind))
    if (both || mayBeLong(a.type, b.type)) continue
    const words = [a, b].map(({ written }) => (typeof written === 'string' ? durationHint(written) : '')).join('')
    call.tell('operand_type', call.at, `\`${call.name}\` needs two numbers or two texts, not ${kindsOf(a)} and ${kindsOf(b)}${words}`)
  }
  return boolean
}

/** Milliseconds. No playbook asks whether something is less than a second old. */
const shortestAge = 1_000

/** Reports a comparison of `age`, which is in milliseconds, with a number that is likely meant as minutes, hours or days. */
function tellSmallAge(call: OperatorCall): void {
  if (!call.args.some(({ written }) => operation(written)?.name === 'age')) return
  const small = call.args.find(({ written }) => typeof written === 'number' && written > 0 && written < shortestAge)
  if (small !== undefined)
    call.tell(
      'logic_pitfall',
      small.at,
      `\`age\` is in milliseconds, and ${String(small.written)} of them are less than a second; an hour is 3600000`,
    )
}

const flipped: Readonly<Record<string, string>> = { '<': '>', '<=': '>=', '>': '<', '>=': '<=' }

/** Reports comparisons of a length that always have the same result, because no length is below 0. */
function tellLengthBelowZero(call: OperatorCall): void {
  const [a, b] = call.args
  if (call.args.length !== 2 || a === undefined || b === undefined) return
  const [limit, operator] = isLength(a.written) ? [b, call.name] : isLength(b.written) ? [a, flipped[call.name]] : [undefined, '']
  if (typeof limit?.written !== 'number') return
  const { written } = limit
  const always = (operator === '>=' && written <= 0) || (operator === '>' && written < 0)
  const never = (operator === '<' && written <= 0) || (operator === '<=' && written < 0)
  if (!always && !never) return
  call.tell(
    'comparison_constant',
    limit.at,
    `this is ${always ? 'always' : 'never'} true: a length is 0 or more${always && written === 0 ? '; did you mean `> 0`?' : ''}`,
  )
}

function isLength(written: Json): boolean {
  return typeof written === 'object' && written !== null && !Array.isArray(written) && Object.keys(written)[0] === 'length'
}

export const orders = [
  order('<', (a, b) => a < b, 'whether the first is less than the second; with three arguments, whether they rise', { '<': [1, 2, 3] }),
  order('<=', (a, b) => a <= b, 'whether the first is at most the second; with three arguments, whether they never fall', { '<=': [1, 1, 3] }),
  order('>', (a, b) => a > b, 'whether the first of two numbers or two texts is greater', { '>': [2, 1] }),
  order('>=', (a, b) => a >= b, 'whether the first is at least the second', { '>=': [2, 2] }),
] as const

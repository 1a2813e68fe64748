import type { Filter } from 'liquidjs'
import { isLongInteger } from '../../../domain/index.ts'
import { textFormatNames } from '../../../formats/index.ts'
import type { Misspelling } from '../../../yaml/index.ts'
import type { FilterSignature } from '../../filters/index.ts'
import {
  any,
  describe,
  has,
  isAny,
  isNever,
  isOfAny,
  type Kind,
  memberOf,
  moreAbsent,
  only,
  show,
  showKinds,
  type Type,
  without,
} from '../model/index.ts'
import type { ProblemCode } from '../problem.ts'

export interface FilterUse {
  readonly filter: Filter
  /** The offset of its name. */
  readonly start: number
  readonly signature: FilterSignature
  readonly input: Type
  readonly args: readonly Type[]
  readonly named: ReadonlyMap<string, Type>
  /** The name of its input in messages. */
  readonly name: string
}

export interface Teller {
  tell(code: ProblemCode, at: number, message: string, misspelt?: Misspelling): void
}

/** Checks the input and arguments of a filter. @returns the type of its result; any type if something is wrong, so that one mistake is told once */
export function checkFilter(use: FilterUse, teller: Teller): Type {
  const { filter, start, signature, input, args, named, name } = use
  const [least, most] = signature.arity
  if (args.length < least || args.length > most) {
    teller.tell('filter_argument', start, `\`${filter.name}\` takes ${amount(least, most)}, not ${args.length}`)
    return any
  }
  const unfit = unfitInput(use)
  if (unfit !== null) {
    teller.tell('filter_input', start, unfit)
    return any
  }
  if (signature.failsOnNull && input.null && !isAny(input))
    teller.tell(
      'value_may_be_null',
      start,
      `\`${name}\` (${show(input)}) may be null, and \`${filter.name}\` needs ${signature.needs}; put \`| default: …\` before it`,
    )
  for (const [index, argument] of args.entries()) {
    const kinds = signature.argumentKinds[index] ?? null
    if (kinds !== null && !fits(argument, kinds))
      teller.tell(
        'filter_argument',
        start,
        `\`${filter.name}\` takes ${words(kinds)} as its ${ordinals[index] ?? 'next'} argument, not ${given(argument)}`,
      )
  }
  const wrong = signature.refusesArguments?.(args) ?? null
  if (wrong !== null) teller.tell('filter_argument', start, wrong)
  return signature.result({
    input,
    args,
    named,
    objects: (items) => objectsAmong(use, teller, items),
    member: (item, path) => readMember(use, teller, item, path),
    neededMember: (item, path) => {
      const type = readMember(use, teller, item, path)
      if (type.absence === 'maybe')
        teller.tell('value_may_be_missing', start, `\`${path}\` may be missing in an item of \`${name}\`, and \`${filter.name}\` fails then`)
      return type
    },
  })
}

/** Formats of texts that are never numbers. */
const wordy = new Set<string>(textFormatNames)
/** Formats of protocol buffers for integers in JSON. */
const digits = new Set(['integer-string', 'int64-string'])

function unfitInput({ filter, signature, input, name }: FilterUse): string | null {
  const value = without(input, 'null')
  if (isNever(value) || isAny(value) || fits(value, signature.takes)) return signature.refuses?.(value, name) ?? null
  const needs = `\`${filter.name}\` needs ${signature.needs}, and \`${name}\` is ${describe(value)}${signature.hint?.(value, name) ?? ''}`
  if (value.text !== null && signature.takes.includes('number')) {
    const { values, format } = value.text
    // Liquid reads a text of digits as a number, and any other as 0.
    if (digits.has(format ?? '') || values?.some((one) => one.trim() !== '' && Number.isFinite(Number(one))) === true) return null
    if (values === null && !wordy.has(format ?? '')) return null
    return `${needs}, which counts as 0`
  }
  return needs
}

function fits(type: Type, kinds: readonly Kind[]): boolean {
  return isNever(without(type, 'null')) || kinds.some((kind) => has(type, kind))
}

function readMember({ filter, start, name }: FilterUse, teller: Teller, item: Type, path: string): Type {
  let type = item
  let base = `an item of ${name}`
  for (const key of path.split('.')) {
    const { type: found, fault } = memberOf(type, key, 'template', base)
    if (fault !== null) {
      const [token] = filter.args
      // If the path is a single name, it is the whole argument, and the place of the mistake is known.
      const named = path === key && token !== undefined && !Array.isArray(token)
      teller.tell(fault.code, named ? token.begin + 1 : start, fault.message, named ? fault.misspelt : undefined)
      return any
    }
    type = { ...found, absence: moreAbsent(type.absence, found.absence) }
    base = `${base}.${key}`
  }
  return type
}

function objectsAmong({ filter, start, name }: FilterUse, teller: Teller, items: Type): Type {
  const others = without(items, 'object', 'null')
  if (isNever(others) || isOfAny(items)) return items
  const found = has(items, 'object') ? `may be ${describe(others)}` : `is ${describe(others)}`
  teller.tell('filter_input', start, `\`${filter.name}\` needs a list of objects, and an item of \`${name}\` ${found}`)
  return only(items, 'object', 'null')
}

const ordinals = ['first', 'second', 'third']

function words(kinds: readonly Kind[]): string {
  const names = { null: 'null', boolean: 'true or false', number: 'a number', text: 'a text', list: 'a list', object: 'an object' } as const
  return kinds.length > 1 && kinds[0] === 'text' ? names.text : kinds.map((kind) => names[kind]).join(' or ')
}

function amount(least: number, most: number): string {
  const named = (count: number): string => (count === 0 ? 'no argument' : count === 1 ? '1 argument' : `${count} arguments`)
  return least === most ? named(least) : `${least} to ${named(most)}`
}

/** Returns what an argument is, for a message. An integer beyond 2^53 is a text, which nobody would guess. */
function given(argument: Type): string {
  const long = argument.text?.values?.find(isLongInteger)
  return long === undefined ? showKinds(argument) : `${long.slice(0, 40)}, which has more digits than a number can keep`
}

import type { Json } from '../../../domain/index.ts'
import type { DocumentPath } from '../../../yaml/index.ts'
import { evaluatePart } from '../../condition/index.ts'
import { isSpecial, operatorNamed } from '../../operators/index.ts'
import { Meter, mostFolded } from '../../work.ts'
import { step } from '../model/index.ts'
import type { ProblemCode } from '../problem.ts'
import { canonical } from './canonical.ts'
import { operation } from './facts.ts'
import { neverTogether } from './ranges.ts'

interface Teller {
  tell(code: ProblemCode, at: DocumentPath, message: string): void
}

/** The number of typing steps that one evaluation counts as. */
const folding = 50

/**
 * Reports tests in a condition that always have the same result: tests of constants, of a value with itself, and an `and` or `or` of tests that
 * exclude each other. Of nested ones, it reports the outermost.
 */
export function tellConstants(rule: Json, at: DocumentPath, teller: Teller): void {
  if (Array.isArray(rule)) {
    for (const [index, part] of (rule as readonly Json[]).entries()) tellConstants(part, [...at, index], teller)
    return
  }
  const found = operation(rule)
  if (found === null) return
  step()
  const { name, args, listed } = found
  const constant = constantOf(rule, name, args)
  if (constant !== null)
    return teller.tell('comparison_constant', [...at, name], `this is ${constant.holds ? 'always' : 'never'} true: ${constant.why}`)
  for (const [index, arg] of args.entries()) tellConstants(arg, listed ? [...at, name, index] : [...at, name], teller)
}

interface Constant {
  readonly holds: boolean
  readonly why: string
}

function constantOf(rule: Json, name: string, args: readonly Json[]): Constant | null {
  if (name === 'and' || name === 'or') return excluding(name, args)
  const operator = operatorNamed(name)
  const itself = operator === undefined || isSpecial(operator) ? undefined : operator.ofItself
  if (itself === undefined) return null
  if (!readsAnything(rule)) {
    const holds = folded(rule)
    return holds === null ? null : { holds, why: 'it reads no value and compares constants' }
  }
  const [a, b] = args
  if (args.length !== 2 || a === undefined || b === undefined) return null
  if (itself !== null) return canonical(a) === canonical(b) ? { holds: itself, why: 'a value is compared with itself' } : null
  const among = name === 'in' && Array.isArray(b) && (b as readonly Json[]).some((item) => canonical(item) === canonical(a))
  return among ? { holds: true, why: 'the list contains the same value' } : null
}

function readsAnything(rule: Json): boolean {
  step()
  if (Array.isArray(rule)) return (rule as readonly Json[]).some(readsAnything)
  const found = operation(rule)
  return found !== null && (readsContext(found.name) || found.args.some(readsAnything))
}

function readsContext(name: string): boolean {
  const operator = operatorNamed(name)
  return operator !== undefined && isSpecial(operator) && operator.readsContext
}

/** Returns the result of a test of constants. Null: the evaluation fails, or takes too much work. */
function folded(rule: Json): boolean | null {
  step(folding)
  try {
    const value = evaluatePart(rule, {}, {}, new Meter(null, mostFolded))
    return typeof value === 'boolean' ? value : null
  } catch {
    return null
  }
}

/** Finds an `or` of tests of which one is always true, or an `and` of tests that are never true together. */
function excluding(name: 'and' | 'or', args: readonly Json[]): Constant | null {
  const asked = args.map((arg) => asking(arg, name === 'and'))
  const seen = new Map<string, boolean>()
  for (const { key, holds } of asked) {
    if (seen.get(key) === !holds) return { holds: name === 'or', why: 'one part asks the opposite of another' }
    seen.set(key, holds)
  }
  if (!neverTogether(asked.map(({ rule, holds }) => ({ rule, holds })))) return null
  return name === 'or' ? { holds: true, why: 'every number is in one of these ranges' } : { holds: false, why: 'no number is in all of these ranges' }
}

interface Asked {
  /** The test without negation: no `!` around it, and no `!=`, `<=` or `>=`. */
  readonly rule: Json
  readonly holds: boolean
  /** Equal texts mean equal tests. */
  readonly key: string
}

const opposites: Readonly<Record<string, string>> = { '!=': '==', '!==': '==', '<=': '>', '>=': '<' }

function asking(rule: Json, holds: boolean): Asked {
  const found = operation(rule)
  const [first, second] = found?.args ?? []
  if (found !== null && first !== undefined) {
    const { name, args } = found
    if (args.length === 1 && (name === '!' || name === '!!')) return asking(first, name === '!' ? !holds : holds)
    if (args.length === 2 && second !== undefined) {
      const opposite = opposites[name]
      if (opposite !== undefined) return asking({ [opposite]: [first, second] }, !holds)
      if (name === '==' || name === '===') {
        const sides = [first, second].map(canonical).sort()
        return { rule, holds, key: `== ${sides.join(' ')}` }
      }
    }
  }
  return { rule, holds, key: canonical(rule) }
}

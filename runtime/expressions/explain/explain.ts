import type { Json } from '../../domain/index.ts'
import { messageOf } from '../../errors/index.ts'
import { evaluatePart } from '../logic.ts'
import { truthy } from '../operators/types.ts'
import type { Context } from '../types.ts'
import { Meter, type WorkBudget, WorkExceeded } from '../work.ts'
import { loops, operatorOf, ruleText } from './rule-text.ts'

/** What a part of a condition came to, and why. */
export interface ExplainedPart {
  /** 0 for the whole rule; its parts follow it, one deeper. */
  readonly depth: number
  /** The part as a person reads it. */
  readonly rule: string
  /** Whether it was looked at: what follows a part that decides is not. */
  readonly looked: boolean
  /** Whether it holds; null: it was not looked at, or could not be evaluated. */
  readonly holds: boolean | null
  /** Which item of a loop decided, from 1, and of how many. */
  readonly item: { readonly number: number; readonly of: number } | null
  /** Of a list that a loop goes through: how many items it has. */
  readonly items: number | null
  /** What it read, each path once. */
  readonly read: readonly ReadValue[]
  /** Why it has no answer, after its name: `could not be evaluated: …`, or `is not shown: …`. */
  readonly error: string | null
}

export interface ReadValue {
  readonly path: string
  /** Undefined: it is not there. */
  readonly value: Json | undefined
}

/** Parts of one condition that are explained; the whole is always there. */
const mostParts = 60
const longestRule = 300
/** Values that are named of one part. */
const mostReads = 12

/**
 * Why a condition came to what it did: the whole, and its parts as far as they decide (`and`, `or`, `not`, `some`, `all`, `none`), with the values
 * that each read. Evaluating again what was evaluated before comes to the same.
 * @param work what explaining may take; beyond it parts are left unexplained
 */
export function explainCondition(rule: Json, context: Context, work: WorkBudget): readonly ExplainedPart[] {
  const parts: ExplainedPart[] = []
  new Explaining(context, work, parts).explain(rule, context, 0, null)
  return parts
}

class Explaining {
  readonly #context: Context
  readonly #work: WorkBudget
  readonly #parts: ExplainedPart[]

  constructor(context: Context, work: WorkBudget, parts: ExplainedPart[]) {
    this.#context = context
    this.#work = work
    this.#parts = parts
  }

  /** @param data what `var` reads from: the context, or an item */
  explain(rule: Json, data: unknown, depth: number, item: ExplainedPart['item']): boolean | null {
    const { value, error } = this.#evaluate(rule, data)
    const holds = error === null ? truthy(value) : null
    const inner = innerOf(rule)
    const read = inner === null ? this.#reads(rule, data) : []
    this.#parts.push({ depth, rule: ruleText(rule, longestRule), looked: true, holds, item, items: null, read, error })
    if (inner && this.#parts.length < mostParts) this.#inner(inner, data, depth + 1)
    return holds
  }

  #inner({ kind, values }: Inner, data: unknown, depth: number): void {
    if (kind === 'not') return void this.explain(values[0] ?? null, data, depth, null)
    if (kind === 'loop') return this.#loop(values, data, depth)
    let decided = false
    for (const value of values) {
      if (this.#parts.length >= mostParts) return
      if (decided)
        this.#parts.push({ depth, rule: ruleText(value, longestRule), looked: false, holds: null, item: null, items: null, read: [], error: null })
      else {
        const holds = this.explain(value, data, depth, null)
        decided = holds === null || holds === (kind === 'or')
      }
    }
  }

  /** The list, and the item that decided; where none did, how many there were. */
  #loop([list = null, body = null, name = null]: readonly Json[], data: unknown, depth: number): void {
    this.explainList(list, data, depth)
    const { value: items } = this.#evaluate(list, data)
    if (!Array.isArray(items)) return
    for (const [index, one] of items.entries()) {
      const { value, error } = this.#evaluate(body, one)
      if (error === null && truthy(value) !== (name !== 'all')) continue
      return void this.explain(body, one, depth, { number: index + 1, of: items.length })
    }
  }

  /** A list that a loop goes through: what it is made of, and how long it is. */
  explainList(list: Json, data: unknown, depth: number): void {
    const { value, error } = this.#evaluate(list, data)
    const items = Array.isArray(value) ? value.length : null
    const holds = error === null ? truthy(value) : null
    this.#parts.push({ depth, rule: ruleText(list, longestRule), looked: true, holds, item: null, items, read: this.#reads(list, data), error })
  }

  #evaluate(rule: Json, data: unknown): { readonly value: Json; readonly error: string | null } {
    const meter = new Meter(this.#work)
    try {
      return { value: evaluatePart(rule, data, this.#context, meter), error: null }
    } catch (error) {
      return {
        value: null,
        error: error instanceof WorkExceeded ? 'is not shown: that takes too much work' : `could not be evaluated: ${messageOf(error)}`,
      }
    } finally {
      meter.end()
    }
  }

  /** The paths that a part reads, with their values; those inside its loops are of items, and are left out. */
  #reads(rule: Json, data: unknown): readonly ReadValue[] {
    const found = new Map<string, Json | undefined>()
    const open: Json[] = [rule]
    for (let next = open.pop(); next !== undefined && found.size < mostReads; next = open.pop()) {
      if (Array.isArray(next)) open.push(...(next as readonly Json[]).slice(0, mostParts))
      const operator = operatorOf(next)
      if (!operator) continue
      const { name, values } = operator
      const [key = ''] = values
      if (name === 'var' && (typeof key === 'string' || typeof key === 'number')) {
        const { value, error } = this.#evaluate({ var: [key] }, data)
        found.set(key === '' ? 'item' : String(key), error === null ? value : undefined)
      } else open.push(...(loops.has(name) ? values.slice(0, 1) : values).toReversed())
    }
    return [...found].map(([path, value]) => ({ path, value }))
  }
}

interface Inner {
  readonly kind: 'and' | 'or' | 'not' | 'loop'
  readonly values: readonly Json[]
}

/** What of a rule decides it, part by part; null: it is explained as a whole, by what it read. */
function innerOf(rule: Json): Inner | null {
  const operator = operatorOf(rule)
  if (!operator) return null
  const { name, values } = operator
  if (name === 'and' || name === 'or') return { kind: name, values }
  if (name === '!' || name === '!!') return { kind: 'not', values }
  return name === 'some' || name === 'all' || name === 'none' ? { kind: 'loop', values: [values[0] ?? null, values[1] ?? null, name] } : null
}

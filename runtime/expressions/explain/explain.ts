import type { Json } from '../../domain/index.ts'
import { messageOf } from '../../errors/index.ts'
import { evaluatePart } from '../condition/index.ts'
import { isLoop } from '../operators/index.ts'
import type { Context } from '../types.ts'
import { truthy } from '../values.ts'
import { Meter, type WorkBudget, WorkExceeded } from '../work.ts'
import { operatorOf, ruleText } from './rule-text.ts'

/** A part of a condition, with its result and the values that it read. */
export interface ExplainedPart {
  /** 0 for the whole rule. The parts of a part come after it, with a depth one higher. */
  readonly depth: number
  /** The text of the part for people (see `ruleText`). */
  readonly rule: string
  /** Whether it was evaluated. Parts after the one that decided are not evaluated. */
  readonly looked: boolean
  /** Whether it is true. Null: it was not evaluated, or its evaluation failed. */
  readonly holds: boolean | null
  /** For the body of a loop: the number of the item that decided, from 1, and how many items there are. */
  readonly item: { readonly number: number; readonly of: number } | null
  /** For the list of a loop: how many items it has. */
  readonly items: number | null
  /** The values that it read, each path once. */
  readonly read: readonly ReadValue[]
  /** Why it has no result. It continues a sentence that begins with the rule: `could not be evaluated: …` or `is not shown: …`. */
  readonly error: string | null
}

interface ReadValue {
  readonly path: string
  /** Undefined: the value is missing. */
  readonly value: Json | undefined
}

/** How many parts of one condition are explained at most. The first is always the whole condition. */
const mostParts = 60
const longestRule = 300
/** How many values are shown for one part. */
const mostReads = 12

/**
 * Explains the result of a condition: the whole rule, then the parts that decide it (those of `and`, `or`, `not`, `some`, `all` and `none`), each
 * with the values that it read. It evaluates the parts again; that gives the same results as before.
 * @param work the work budget. Parts beyond it are not explained
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

  /** @param data what `var` reads from: the context, or the item of a loop */
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

  /** Explains the list of a loop, and the body for the item that decided. If none decided, only the list. */
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

  /** Explains the list of a loop: what it reads, and how many items it has. */
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

  /** The paths that a part reads, with their values. Paths inside loops are relative to items, and are left out. */
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
      } else open.push(...(isLoop(name) ? values.slice(0, 1) : values).toReversed())
    }
    return [...found].map(([path, value]) => ({ path, value }))
  }
}

interface Inner {
  readonly kind: 'and' | 'or' | 'not' | 'loop'
  readonly values: readonly Json[]
}

/** Returns the parts that decide a rule; null: it is explained as a whole, by the values that it read. */
function innerOf(rule: Json): Inner | null {
  const operator = operatorOf(rule)
  if (!operator) return null
  const { name, values } = operator
  if (name === 'and' || name === 'or') return { kind: name, values }
  if (name === '!' || name === '!!') return { kind: 'not', values }
  return name === 'some' || name === 'all' || name === 'none' ? { kind: 'loop', values: [values[0] ?? null, values[1] ?? null, name] } : null
}

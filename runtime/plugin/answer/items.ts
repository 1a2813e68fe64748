import { cutText, type Effect, type Json } from '../../domain/index.ts'
import { type Condition, compileCondition, compileValue, type ValueTemplate } from '../../expressions/index.ts'
import type { ItemResultsDocument, SkillDocument } from '../grammar/index.ts'
import type { FaultPlaces } from '../manifest/fault-places.ts'
import { namesOf } from '../manifest/template-scope.ts'
import { valueAt } from '../values.ts'
import { holds } from './failures.ts'

/** The outcome of one item of a call. */
type ItemStatus = (typeof statuses)[number]
const statuses = ['done', 'failed', 'not_sent', 'unknown'] as const

/** The outcome of all items of a call. */
export interface JudgedItems {
  /** The output, with the counts that its schema names. */
  readonly output: Json
  /** Null if everything was done. */
  readonly failure: { readonly message: string; readonly effect: Effect } | null
}

/** A skill's `item_results`, compiled. */
export interface ItemResults {
  /** @returns null if the output has no such list. Nothing is then known about single items */
  judge(input: Json, output: Json): JudgedItems | null
}

/** More items than any call has. Further items are not examined and count as unknown. */
const mostItems = 10_000
/** How many items a message names, and how many characters it shows of each. */
const [shownItems, shownCharacters] = [5, 120]

/** Compiles a skill's `item_results`. Inconsistencies are added to `places`. */
export function compileItemResults(skill: SkillDocument, places: FaultPlaces): ItemResults | null {
  const { item_results: document, input, output } = skill
  if (document === undefined) return null
  const path = ['item_results']
  const { of: asked } = document
  const of = asked === undefined ? null : places.attempt([...path, 'of'], () => compileValue(asked))
  if (of) places.reads([...path, 'of'], of.reads, { input: namesOf(input) })
  if (document.absent !== undefined && of === null) places.add([...path, 'absent'], '`absent` needs `of`, the list of requested items', 'key')
  const conditions = conditionKeys.flatMap((status) => {
    const rule = document[status]
    const compiled = rule === undefined ? null : places.attempt([...path, status], () => compileCondition(rule))
    if (compiled) places.reads([...path, status], compiled.reads, { item: null, input: namesOf(input) })
    return compiled ? [[status, compiled] as const] : []
  })
  const { properties } = output
  const declared = typeof properties === 'object' && properties !== null ? Object.keys(properties) : []
  return { judge: (given, made) => judge({ document, of, conditions, declared }, given, made) }
}

const conditionKeys = ['done', 'failed', 'not_sent'] as const

interface Plan {
  readonly document: ItemResultsDocument
  readonly of: ValueTemplate | null
  readonly conditions: readonly (readonly [ItemStatus, Condition])[]
  /** The members of the output that its schema names. */
  readonly declared: readonly string[]
}

interface Item {
  readonly name: string
  readonly status: ItemStatus
  readonly why: string | null
}

function judge(plan: Plan, input: Json, output: Json): JudgedItems | null {
  const list = valueAt(output, plan.document.list)
  if (!Array.isArray(list)) return null
  const items = itemsOf(plan, input, list as readonly Json[])
  const counts = Object.fromEntries(statuses.map((status) => [status, items.filter((item) => item.status === status).length])) as Record<
    ItemStatus,
    number
  >
  const allDone = counts.done === items.length
  return { output: withCounts(output, { all_done: allDone, ...counts }, plan.declared), failure: allDone ? null : failureOf(items, counts) }
}

function itemsOf(plan: Plan, input: Json, list: readonly Json[]): readonly Item[] {
  const { named_by: member, absent = 'unknown' } = plan.document
  const told = list.slice(0, mostItems).map((result, at): Item => {
    const name = nameOf(result, member) ?? `item ${at + 1}`
    return { name, status: statusOf(plan, result, input), why: whyOf(result) }
  })
  const rest = Array.from(
    { length: Math.min(list.length, 2 * mostItems) - told.length },
    (): Item => ({ name: 'more', status: 'unknown', why: null }),
  )
  const asked = plan.of?.render({ input })
  if (!Array.isArray(asked)) return [...told, ...rest]
  const names = (asked as readonly Json[]).map(String)
  const missing =
    member === undefined && list.some((result) => typeof result === 'object')
      ? names.slice(list.length)
      : names.filter((name) => !told.some((one) => one.name === name))
  return [...told, ...rest, ...missing.map((name): Item => ({ name, status: absent, why: 'not in the answer' }))]
}

/**
 * Returns the status of an item. If the skill has no conditions, a result that is a string or
 * number is the name of an item that was done.
 */
function statusOf({ conditions }: Plan, result: Json, input: Json): ItemStatus {
  for (const [status, when] of conditions) if (holds(when, { item: result, input })) return status
  if (conditions.length > 0) return 'unknown'
  if (typeof result !== 'object' || result === null) return 'done'
  const own = valueAt(result, 'status')
  return statuses.find((status) => status === own) ?? 'unknown'
}

function nameOf(result: Json, member: string | undefined): string | null {
  const name = member === undefined ? result : valueAt(result, member)
  return typeof name === 'string' || typeof name === 'number' ? String(name) : null
}

const whyPaths = ['error.message', 'error.code', 'error', 'message', 'reason', 'errorMessage', 'errorCode']

/** Returns why an item was not done, in the system's own words. */
function whyOf(result: Json): string | null {
  const words = whyPaths.map((path) => valueAt(result, path)).find((value) => typeof value === 'string' && value.trim() !== '')
  return typeof words === 'string' ? words : null
}

function failureOf(items: readonly Item[], counts: Readonly<Record<ItemStatus, number>>): NonNullable<JudgedItems['failure']> {
  const left = items.filter(({ status }) => status !== 'done')
  const said = [
    [counts.failed, 'failed'],
    [counts.not_sent, 'not sent'],
    [counts.unknown, 'unknown'],
  ] as const
  const words = said.flatMap(([count, word]) => (count > 0 ? [`${count} ${word}`] : [])).join(', ')
  const shown = left.slice(0, shownItems).map(({ name, why }) => cut(why === null ? name : `${name} (${why})`))
  const more = left.length > shownItems ? ` and ${left.length - shownItems} more` : ''
  const effect = counts.done + counts.unknown > 0 ? 'done' : counts.failed > 0 ? 'refused' : 'not_sent'
  return { message: `${counts.done} of ${items.length} were done, ${words}: ${shown.join(', ')}${more}.`, effect }
}

function cut(text: string): string {
  return cutText(text.replaceAll(/\s+/g, ' ').trim(), shownCharacters)
}

/** Adds the counts that the schema names. Counts that the handler made itself are kept. */
function withCounts(output: Json, counts: Readonly<Record<string, Json>>, declared: readonly string[]): Json {
  if (typeof output !== 'object' || output === null || Array.isArray(output)) return output
  const added = Object.entries(counts).filter(([name]) => declared.includes(name) && !Object.hasOwn(output, name))
  return added.length === 0 ? output : { ...output, ...Object.fromEntries(added) }
}

import type { Json } from '@tocsin/plugin'
import { type Caller, type CrmRecord, nextOf, OddAnswer, type Page, rowsOf } from './query.ts'

/** How many requests and records may still be used for the children of all records together. */
export interface Budget {
  requests: number
  records: number
  /** Set to true if some children were left out. */
  exhausted: boolean
}

/**
 * Fetches the further pages of a record's children, within the budget. If some are missing, it sets `exhausted`. A complete list of children has
 * `done: true`.
 */
export async function withChildren(call: Caller, record: CrmRecord, budget: Budget): Promise<CrmRecord> {
  const whole: Record<string, Json> = {}
  for (const [name, value] of Object.entries(record)) whole[name] = isPage(value) ? await completed(call, value, budget) : value
  return whole
}

async function completed(call: Caller, first: Page, budget: Budget): Promise<Json> {
  const records = [...rowsOf(first)]
  const seen = new Set<string>()
  let page: Page = first
  for (let next = nextOf(page); next !== null && budget.requests > 0 && budget.records > 0; next = nextOf(page)) {
    if (seen.has(next)) throw new OddAnswer('The pages of children form a circle: the same next page came twice.')
    seen.add(next)
    budget.requests -= 1
    page = (await call.http.get<Page>(next, { base: 'origin' })).body
    const rows = rowsOf(page)
    budget.records -= rows.length
    records.push(...rows)
  }
  const whole = page.done !== false && nextOf(page) === null
  if (!whole) budget.exhausted = true
  const within: CrmRecord[] = []
  for (const child of records) within.push(await withChildren(call, child, budget))
  return { totalSize: first.totalSize, done: whole, records: within }
}

function isPage(value: Json | undefined): value is Json & Page {
  return typeof value === 'object' && value !== null && 'records' in value && Array.isArray(value.records) && 'done' in value
}

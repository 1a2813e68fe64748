import type { Json } from '@tocsin/plugin'
import type { Caller, CrmRecord, Page } from './query.ts'

/** How much may be fetched for the children of all records together. */
export interface Budget {
  requests: number
  records: number
  /** Set when there was more. */
  exhausted: boolean
}

/**
 * Children that a record was answered with come in pages of their own: these are fetched as far as the budget goes, and then `exhausted` says that some are missing. A child
 * list that is whole says `done: true`.
 */
export async function withChildren(call: Caller, record: CrmRecord, budget: Budget): Promise<CrmRecord> {
  const whole: Record<string, Json> = {}
  for (const [name, value] of Object.entries(record)) whole[name] = isPage(value) ? await completed(call, value, budget) : value
  return whole
}

async function completed(call: Caller, first: Page, budget: Budget): Promise<Json> {
  const records = [...first.records]
  let { done, nextRecordsUrl } = first
  while (!done && nextRecordsUrl !== undefined && budget.requests > 0 && budget.records > 0) {
    budget.requests -= 1
    const { body } = await call.http.get<Page>(nextRecordsUrl, { base: 'origin' })
    budget.records -= body.records.length
    records.push(...body.records)
    done = body.done
    nextRecordsUrl = body.nextRecordsUrl
  }
  if (!done) budget.exhausted = true
  const within: CrmRecord[] = []
  for (const child of records) within.push(await withChildren(call, child, budget))
  return { totalSize: first.totalSize, done, records: within }
}

function isPage(value: Json | undefined): value is Json & Page {
  return typeof value === 'object' && value !== null && 'records' in value && Array.isArray(value.records) && 'done' in value
}

import { hash } from 'node:crypto'
import { type AlertFetch, type FetchFailure, type Json, type Millis, organizationScope, type Principal } from '../domain/index.ts'
import { isTocsinError, TocsinError } from '../errors/index.ts'
import type { Turns } from '../fairness/index.ts'
import { type AlertFields, alertFieldsOf, type BatchItem, type Ingest } from '../ingest/index.ts'

/** How many items are given to the store at once. */
const atOnce = 100

/** What became of the items of one answer. */
export interface Submitted {
  readonly fresh: number
  readonly repeated: number
  readonly changed: number
  /** The latest time at which the system made one of them. Null: none says it, or none was accepted. */
  readonly newest: Millis | null
  /** Why an item was refused. Null: none was. The other items are stored anyway. */
  readonly failure: FetchFailure | null
}

/** One item, as it is given to Tocsin. */
export interface ReadItem extends AlertFields {
  readonly content: string
  /** The same item gives the same key, so it becomes one alert, however often it is fetched. */
  readonly key: string
}

/** Reads an item as an alert. */
export function readItem({ reading }: Pick<AlertFetch, 'reading'>, item: Json): ReadItem {
  // No store could return half of a surrogate pair. JSON escapes it.
  const content = typeof item === 'string' && item.isWellFormed() ? item : JSON.stringify(item)
  const fields = alertFieldsOf(reading, item)
  const known = fields.id === null ? ['content', content] : ['id', fields.id]
  return { ...fields, content, key: `fetch:${hash('sha256', JSON.stringify(known), 'base64url')}` }
}

/** Makes alerts of items. Returns when each is durable or refused. */
export class Submitter {
  readonly #ingest: Pick<Ingest, 'acceptBatch'>
  readonly #turns: Turns
  readonly #bodyLimit: number

  /** @param bodyLimit the most bytes of an alert's content, as for alerts that are sent */
  constructor(ingest: Pick<Ingest, 'acceptBatch'>, turns: Turns, bodyLimit: number) {
    this.#ingest = ingest
    this.#turns = turns
    this.#bodyLimit = bodyLimit
  }

  /** @throws TocsinError `store_unavailable`, `overloaded` */
  async submit(fetch: AlertFetch, organizationCode: string, items: readonly Json[]): Promise<Submitted> {
    const submitted = { fresh: 0, repeated: 0, changed: 0, newest: null as Millis | null, failure: null as FetchFailure | null }
    for (let from = 0; from < items.length; from += atOnce) {
      const read: ReadItem[] = []
      for (const item of items.slice(from, from + atOnce)) {
        read.push(readItem(fetch, item))
        const turn = this.#turns.next(fetch.organization)
        if (turn) await turn
      }
      for (const [index, result] of (await this.#accept(fetch, organizationCode, read)).entries()) {
        const { createdAtSource: at = null } = read[index] ?? {}
        if (isTocsinError(result)) {
          submitted.failure ??= refusal(result, read[index])
          continue
        }
        submitted[result] += 1
        if (at !== null && (submitted.newest === null || at > submitted.newest)) submitted.newest = at
      }
    }
    return submitted
  }

  async #accept(fetch: AlertFetch, organizationCode: string, read: readonly ReadItem[]): Promise<('fresh' | 'repeated' | 'changed' | TocsinError)[]> {
    const small = read.filter(({ content }) => this.#fits(content))
    const batch: BatchItem[] = small.map(({ content, type, createdAtSource, key }) => ({
      alert: { alertContent: content, alertProvider: fetch.reading.provider, organizationCode, alertType: type, createdAtSource },
      idempotencyKey: key,
    }))
    const accepted = batch.length > 0 ? await this.#ingest.acceptBatch(creatorOf(fetch), batch, null) : []
    const outcomes = new Map(small.map((item, index) => [item, accepted[index]]))
    return read.map((item) => {
      const outcome = outcomes.get(item)
      if (outcome === undefined) return new TocsinError('body_too_large', `An item is larger than ${this.#bodyLimit} bytes.`)
      if (!isTocsinError(outcome)) return outcome.fresh ? 'fresh' : 'repeated'
      return outcome.code === 'idempotency_key_reused' ? 'changed' : outcome
    })
  }

  #fits(content: string): boolean {
    return content.length * 3 <= this.#bodyLimit || Buffer.byteLength(content) <= this.#bodyLimit
  }
}

/** Whoever the alerts of a fetch are created by. No key belongs to it, so nobody else can act as it. */
export function creatorOf({ principal: id, name, organization, createdAt, createdBy }: AlertFetch): Principal {
  const { organizations } = organizationScope(organization)
  return { id, name: `fetch ${name}`, permissions: ['alerts:write'], organizations, createdAt, createdBy }
}

function refusal(error: TocsinError, item: ReadItem | undefined): FetchFailure {
  const which = item?.id === null || item === undefined ? 'An item without an id' : `The item ${item.id.slice(0, 100)}`
  return { code: error.code, message: `${which} was refused: ${error.message}`, remedy: error.remedy }
}

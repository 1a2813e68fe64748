import type { NewAlert, OrganizationId } from '../domain/index.ts'
import { normaliseType, systemScope } from '../domain/index.ts'
import { TocsinError } from '../errors/index.ts'
import { type Arrivals, FairQueue, inLane, laneOf } from '../fairness/index.ts'
import type { AlertStore, InsertedAlert } from '../storage/index.ts'

interface Waiting {
  readonly alert: NewAlert
  /** An alert without a type has one here, too. */
  readonly lane: string
  readonly resolve: (inserted: InsertedAlert) => void
  readonly reject: (error: Error) => void
}

/** Limits of a batch. A batch is one transaction of the store, and later writes wait for it. */
const mostInBatch = { alerts: 500, characters: 1_048_576, words: 8_192 }
/** One batch is written while the next one fills. */
const batchesUnderWay = 2
/** So many more batches may have one alert whose lane has no other here. It does not wait for those of a flood. */
const aloneUnderWay = 2
/** If more alerts wait, the store is slower than the sources. Then new alerts are refused, and sources must retry. */
const mostWaiting = { alerts: 20_000, characters: 268_435_456 }
/**
 * An organization may have this many times as much waiting as is left free. One organization alone gets three
 * quarters of the whole.
 */
const timesFree = 3

/** Who is told of a batch when it is sent to the store, and which alerts it may have. */
export interface EarlyBatches {
  readonly mayBe: (alert: NewAlert) => boolean
  readonly onSent: (alerts: readonly NewAlert[], numbered: Promise<readonly InsertedAlert[]>) => void
}

interface Weight {
  alerts: number
  characters: number
}

/**
 * Collects the alerts that arrive while the store is busy. They are numbered, inserted and acknowledged
 * together. Organizations take turns.
 */
export class AlertBatcher {
  readonly #store: AlertStore
  readonly #arrivals: Arrivals
  readonly #onInserted: (inserted: readonly InsertedAlert[]) => void
  readonly #early: EarlyBatches | null
  readonly #waiting = new FairQueue<Waiting>()
  readonly #weight: Weight = { alerts: 0, characters: 0 }
  readonly #weightOf = new Map<OrganizationId, Weight>()
  /** How many alerts of each lane wait or are being written. */
  readonly #here = new Map<string, number>()
  #scheduled = false
  #underWay = 0
  #aloneUnderWay = 0
  /** Whether the store has taken the last batch that it has answered. */
  #storeIsWell = true

  /**
   * @param arrivals counts the alerts that wait or are being written
   * @param onInserted is told of each durable batch, unless `early` was told of it
   * @param early null: no batch is told of before it is durable
   */
  constructor(store: AlertStore, arrivals: Arrivals, onInserted: (inserted: readonly InsertedAlert[]) => void, early: EarlyBatches | null = null) {
    this.#store = store
    this.#arrivals = arrivals
    this.#onInserted = onInserted
    this.#early = early
  }

  /** Resolves when the alert is durable. @throws TocsinError `overloaded`, `store_unavailable` */
  insert(alert: NewAlert): Promise<InsertedAlert> {
    const overload = this.#overload(alert)
    if (overload !== null) return Promise.reject(new TocsinError('overloaded', overload))
    return new Promise((resolve, reject) => {
      const waiting: Waiting = { alert, lane: nameOfLane(alert), resolve, reject }
      const alone = !this.#here.has(waiting.lane)
      this.#count(waiting.lane, 1)
      this.#arrivals.came()
      if (alone && this.#underWay === batchesUnderWay && this.#aloneUnderWay < aloneUnderWay) return this.#sendAlone(waiting)
      this.#waiting.push(alert.organization, waiting)
      this.#weigh(alert, 1)
      if (this.#scheduled) return
      this.#scheduled = true
      // Alerts that arrive in the same turn of the event loop go into one batch.
      queueMicrotask(() => {
        this.#scheduled = false
        this.#send()
      })
    })
  }

  /** Returns why the alert may not wait here. Null: it may. */
  #overload({ organization, content }: NewAlert): string | null {
    const own = this.#weightOf.get(organization) ?? { alerts: 0, characters: 0 }
    const free = { alerts: mostWaiting.alerts - this.#weight.alerts, characters: mostWaiting.characters - this.#weight.characters }
    if (free.alerts < 1 || own.alerts >= timesFree * free.alerts) return `${this.#weight.alerts} alerts wait for the store.`
    // An organization that has nothing waiting is always accepted while there is room.
    const large = own.alerts > 0 && own.characters + content.length > timesFree * (free.characters - content.length)
    return large || free.characters < content.length ? `Alerts of ${this.#weight.characters} characters wait for the store.` : null
  }

  #weigh({ organization, content }: NewAlert, times: 1 | -1): void {
    const own = this.#weightOf.get(organization) ?? { alerts: 0, characters: 0 }
    for (const weight of [this.#weight, own]) {
      weight.alerts += times
      weight.characters += times * content.length
    }
    if (own.alerts > 0) this.#weightOf.set(organization, own)
    else this.#weightOf.delete(organization)
  }

  /** Returns the next batch, with at least one alert. */
  #nextBatch(): Waiting[] {
    const batch: Waiting[] = []
    let [characters, words] = [0, 0]
    while (batch.length < mostInBatch.alerts && characters < mostInBatch.characters && words < mostInBatch.words) {
      const next = this.#waiting.shift()
      if (!next) break
      this.#weigh(next.alert, -1)
      batch.push(next)
      characters += next.alert.content.length
      words += next.alert.tokens.length
    }
    return batch
  }

  #send(): void {
    while (this.#waiting.size > 0 && this.#underWay < batchesUnderWay) {
      this.#underWay += 1
      void this.#write(this.#nextBatch()).finally(() => {
        this.#underWay -= 1
        this.#send()
      })
    }
  }

  /** Sends an alert by itself, beside the batches. */
  #sendAlone(waiting: Waiting): void {
    this.#aloneUnderWay += 1
    void this.#write([waiting]).finally(() => {
      this.#aloneUnderWay -= 1
    })
  }

  #write(batch: readonly Waiting[]): Promise<void> {
    const alerts = batch.map(({ alert }) => alert)
    const lane = laneOfAll(batch)
    let told = false
    const sent = (numbered: Promise<readonly InsertedAlert[]>): void => {
      told = true
      this.#early?.onSent(alerts, numbered)
    }
    return inLane(lane, () => this.#store.insert(systemScope, alerts, this.#mayBeEarly(alerts, lane) ? sent : undefined))
      .then(
        (inserted) => {
          this.#storeIsWell = true
          for (const [index, { resolve, reject }] of batch.entries()) {
            const result = inserted[index]
            if (result) resolve(result)
            else reject(new TocsinError('internal', 'The store returned fewer alerts than it was given.'))
          }
          if (!told) this.#onInserted(inserted)
        },
        (error: Error) => {
          this.#storeIsWell = false
          for (const { reject } of batch) reject(error)
        },
      )
      .finally(() => {
        for (const { lane } of batch) this.#count(lane, -1)
        this.#arrivals.went(batch.length)
      })
  }

  /**
   * Returns whether a batch may be told of when it is sent. Only in one lane, because the store takes calls in order only in a lane. Not after a
   * batch that failed: the runs of alerts that are not stored would all be tried again.
   */
  #mayBeEarly(alerts: readonly NewAlert[], lane: string | null): boolean {
    return this.#early !== null && this.#storeIsWell && lane !== null && alerts.every(this.#early.mayBe)
  }

  #count(lane: string, change: number): void {
    const count = (this.#here.get(lane) ?? 0) + change
    if (count > 0) this.#here.set(lane, count)
    else this.#here.delete(lane)
  }
}

function nameOfLane({ organization, type }: NewAlert): string {
  return laneOf(organization, type === null ? '' : normaliseType(type))
}

/** Returns the lane that the alerts have in common. Null: there is none. */
function laneOfAll(batch: readonly Waiting[]): string | null {
  const [first] = batch
  return first && first.alert.type !== null && batch.every(({ lane }) => lane === first.lane) ? first.lane : null
}

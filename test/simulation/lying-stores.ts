import type { JournalEntry, NewAlert } from '../../runtime/domain/index.ts'
import type { ClaimResult, InsertedAlert, Store } from '../../runtime/storage/index.ts'
import { eachMethod } from './seams/store.ts'

/** Stores that break what the runtime rests on: each stands for a mistake that the simulation must find. */
export type Lie = (store: Store) => Store

/** A life that was superseded is told that it still is the one. */
export const withoutFence: Lie = (store) =>
  eachMethod(store, async (name, _given, call) => {
    const result = await call()
    if (result !== 'superseded') return result
    return name === 'runs.end' ? 'ended' : name === 'runs.sleep' ? 'slept' : 'appended'
  })

/** The next life of a run is not told what the one before was about to send. */
export const withoutIntents: Lie = (store) =>
  eachMethod(store, async (name, _given, call) => {
    const result = (await call()) as ClaimResult
    if (name !== 'runs.claim' || result.kind !== 'claimed') return result
    const journal = result.journal.map((entry) => ({ ...entry, records: entry.records.filter(({ kind }) => kind !== 'intent') }))
    return { ...result, journal }
  })

/** An intent is said to be durable, and is not. */
export const forgettingIntents: Lie = (store) =>
  eachMethod(store, async (name, given, call) => {
    const entry = given[2] as JournalEntry
    if (name === 'journal.append' && entry.records.some(({ kind }) => kind === 'intent')) return 'appended'
    return call()
  })

/** Every third alert is acknowledged and not stored. */
export const losingAlerts: Lie = (store) => {
  let count = 0
  return eachMethod(store, async (name, given, call) => {
    count += name === 'alerts.insert' ? 1 : 0
    if (name !== 'alerts.insert' || count % 3 > 0) return call()
    return (given[1] as readonly NewAlert[]).map((alert) => {
      const sequence = 1_000 + count
      return {
        alert: { ...alert, sequence, alertId: `${alert.numberedAs}-${sequence}`, status: 0, retryCount: 0 },
        fresh: true,
      } as unknown as InsertedAlert
    })
  })
}

/** An alert that is sent again is taken for a new one. */
export const withoutKeys: Lie = (store) => {
  let count = 0
  return eachMethod(store, async (name, given, call) => {
    if (name !== 'alerts.insert') return call()
    const alerts = (given[1] as readonly NewAlert[]).map((alert) => ({
      ...alert,
      idempotency: alert.idempotency && { ...alert.idempotency, key: `${alert.idempotency.key} ${++count}` },
    }))
    return store.alerts.insert(given[0] as never, alerts)
  })
}

/** Nobody sees that something is paused. */
export const withoutPauses: Lie = (store) => eachMethod(store, async (name, _given, call) => (name === 'pauses.standing' ? [] : call()))

/** The sessions of the dead are never declared dead. */
export const withoutBurial: Lie = (store) => eachMethod(store, async (name, _given, call) => (name === 'sessions.bury' ? 0 : call()))

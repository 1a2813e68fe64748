import type { JournalEntry, NewAlert } from '../../runtime/domain/index.ts'
import type { ClaimResult, InsertedAlert, Store } from '../../runtime/storage/index.ts'
import { eachMethod } from './seams/store.ts'

/** Stores that break what the runtime relies on. Each stands for a mistake that the simulation must find. */
export type Lie = (store: Store) => Store

/** An execution that was superseded is told that it is still the current one. */
export const withoutFence: Lie = (store) =>
  eachMethod(store, async (name, _given, call) => {
    const result = await call()
    if (result !== 'superseded') return result
    return name === 'runs.end' ? 'ended' : name === 'runs.sleep' ? 'slept' : 'appended'
  })

/** The next execution of a run does not see the intents of the one before. */
export const withoutIntents: Lie = (store) =>
  eachMethod(store, async (name, _given, call) => {
    const result = (await call()) as ClaimResult
    if (name !== 'runs.claim' || result.kind !== 'claimed') return result
    const journal = result.journal.map((entry) => ({ ...entry, records: entry.records.filter(({ kind }) => kind !== 'intent') }))
    return { ...result, journal }
  })

/** An intent is acknowledged but not stored. */
export const forgettingIntents: Lie = (store) =>
  eachMethod(store, async (name, given, call) => {
    const entry = given[2] as JournalEntry
    if (name === 'journal.append' && entry.records.some(({ kind }) => kind === 'intent')) return 'appended'
    return call()
  })

/** Every third alert is acknowledged but not stored. */
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

/** An alert that is sent again counts as a new one. */
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

/** Nobody sees pauses. */
export const withoutPauses: Lie = (store) => eachMethod(store, async (name, _given, call) => (name === 'pauses.standing' ? [] : call()))

/** The sessions of dead processes are never declared dead. */
export const withoutBurial: Lie = (store) => eachMethod(store, async (name, _given, call) => (name === 'sessions.bury' ? 0 : call()))

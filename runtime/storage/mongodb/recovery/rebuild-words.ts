import type { Ids } from '../../../domain/index.ts'
import { giveBlocks } from '../alerts/alert-words.ts'
import type { Collections } from '../database/index.ts'
import { following } from '../database/index.ts'

/** How many alerts are read at once. */
const atOnce = 2_048

/**
 * Builds the index of words again, from the words of the alerts. A part of it may be lost, or may be older or newer than the rest. Safe to
 * repeat. No other process may use the database. It takes about a minute for a million alerts.
 */
export async function rebuildWords({ alerts, alertWords, alertSegments, alertPages, alertStates }: Collections, ids: Ids): Promise<void> {
  for (const collection of [alertStates, alertSegments, alertPages, alertWords]) await collection.deleteMany({})
  for (let last: { readonly _id: string; readonly createdAt: number } | undefined; ; ) {
    const beyond = last ? { $and: following<typeof last>('createdAt', last.createdAt, last._id, '$gt') } : {}
    const found = await alerts
      .find(beyond as object, { projection: { createdAt: 1, words: 1 } })
      .sort({ createdAt: 1, _id: 1 })
      .limit(atOnce)
      .toArray()
    last = found.at(-1)
    if (!last) return
    await giveBlocks({ alerts, alertWords }, found, ids)
  }
}

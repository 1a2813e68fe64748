import type { Collection, WithId } from 'mongodb'
import type { Ids } from '../../../domain/index.ts'
import { giveBlocks } from '../alerts/alert-words.ts'
import { known } from '../cases/words/index.ts'
import type { Collections } from '../database/index.ts'
import { following } from '../database/index.ts'

/** How many alerts or cases are read at once. */
const atOnce = 2_048

/**
 * Builds the indexes of words again, from the words of the alerts and of the cases. A part of them may be lost, or may be older or newer than
 * the rest. Safe to repeat. No other process may use the database. It takes a few minutes for a million alerts.
 */
export async function rebuildWords(collections: Collections, ids: Ids): Promise<void> {
  await forgetKnownCases(collections)
  const { alerts, alertWords, alertSegments, alertPages, alertStates, caseSegments, casePages } = collections
  for (const collection of [alertStates, alertSegments, alertPages, alertWords, caseSegments, casePages]) await collection.deleteMany({})
  for await (const found of inPieces(alerts, { createdAt: 1, words: 1 })) await giveBlocks({ alerts, alertWords }, found, ids)
}

/** Takes from all cases that a segment has them. Segments are built from them later, while the store is used. */
async function forgetKnownCases({ cases }: Collections): Promise<void> {
  for await (const found of inPieces(cases, { createdAt: 1 })) {
    const these = { _id: { $in: found.map(({ _id }) => _id) } }
    const update = { $set: { modifiedAt: { $toDouble: '$modifiedAt' } } }
    await cases.updateMany({ $and: [these, { $or: [known, { sealed: { $exists: true } }] }] } as object, [update, { $unset: 'sealed' }], {
      hint: { _id: 1 },
    })
  }
}

/** Reads all documents of a collection, some at a time, in the order of their creation. */
async function* inPieces<D extends { readonly _id: string; readonly createdAt: number }>(
  collection: Collection<D>,
  projection: Readonly<Record<string, 1>>,
): AsyncGenerator<WithId<D>[]> {
  for (let last: WithId<D> | undefined; ; ) {
    const beyond = last ? { $and: following<D>('createdAt', last.createdAt, last._id, '$gt') } : {}
    const found = await collection
      .find(beyond as object, { projection })
      .sort({ createdAt: 1, _id: 1 })
      .limit(atOnce)
      .toArray()
    last = found.at(-1)
    if (!last) return
    yield found
  }
}

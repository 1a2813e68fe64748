import type { Collection } from 'mongodb'
import { AlertStatus, type Clock, type Ids } from '../../../domain/index.ts'
import type { Collections, TakeNumbers } from '../database/index.ts'
import { type AlertDocument, isNumbered, type NumberedAlertDocument, numbered, numbering } from './alert-documents.ts'
import { giveBlocks } from './alert-words.ts'
import type { LateWords } from './late-words.ts'

/** Takes a number for each document, in order, with one step for each prefix. Writes nothing. */
export async function numberAll(take: TakeNumbers, documents: readonly AlertDocument[]): Promise<NumberedAlertDocument[]> {
  const counts = new Map<string, number>()
  for (const { numberedAs } of documents) counts.set(numberedAs, (counts.get(numberedAs) ?? 0) + 1)
  const firsts = await Promise.all([...counts].map(async ([prefix, count]) => [prefix, await take(`alert ${prefix}`, count)] as const))
  const next = new Map(firsts)
  return documents.map((document) => {
    const sequence = next.get(document.numberedAs) ?? Number.NaN
    next.set(document.numberedAs, sequence + 1)
    return numbered(document, sequence)
  })
}

/**
 * Writes the numbers of alerts that were inserted without one, unless another process has done so meanwhile.
 * Returns the alerts as they are now, in order, and how many it numbered.
 */
export async function writeNumbers(
  alerts: Collection<AlertDocument>,
  documents: readonly NumberedAlertDocument[],
): Promise<{ readonly written: number; readonly standing: readonly NumberedAlertDocument[] }> {
  if (documents.length === 0) return { written: 0, standing: [] }
  const { modifiedCount } = await alerts.bulkWrite(
    documents.map((document) => ({
      updateOne: {
        filter: { _id: document._id, status: AlertStatus.created, alertId: { $exists: false } },
        update: { $set: numbering(document, document.sequence), $unset: { unnumberedSince: '' } },
      },
    })),
    { ordered: false },
  )
  if (modifiedCount === documents.length) return { written: modifiedCount, standing: documents }
  const found = await alerts.find({ _id: { $in: documents.map(({ _id }) => _id) } }).toArray()
  const byId = new Map(found.filter(isNumbered).map((document) => [document._id, document]))
  return { written: modifiedCount, standing: documents.map((document) => byId.get(document._id) ?? document) }
}

interface NumberingTools {
  readonly collections: Collections
  readonly take: TakeNumbers
  readonly clock: Clock
  readonly ids: Ids
  readonly late: LateWords
}

/** Completes inserts that died: makes the alerts searchable, then numbers them. Returns the same as `writeNumbers`. */
export async function numberLeft(
  { collections, take, clock, ids, late }: NumberingTools,
  left: readonly AlertDocument[],
): ReturnType<typeof writeNumbers> {
  const begun = clock.now()
  await giveBlocks(collections, left, ids)
  const numbers = await writeNumbers(collections.alerts, await numberAll(take, left))
  if (late.isLate(begun)) await late.give(left)
  return numbers
}

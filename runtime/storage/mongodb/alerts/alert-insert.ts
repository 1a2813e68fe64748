import type { Clock, Ids, NewAlert } from '../../../domain/index.ts'
import { currentLane } from '../../../fairness/index.ts'
import type { InsertedAlert } from '../../port/index.ts'
import { type BulkTurns, inBulks, insertEach, type Outcome } from '../client/index.ts'
import type { Collections, TakeNumbers } from '../database/index.ts'
import { type AlertDocument, isNumbered, type NumberedAlertDocument, toAlert, unnumbered } from './alert-documents.ts'
import { numberAll, numberLeft, writeNumbers } from './alert-numbering.ts'
import { blocksOf, writeBlocks } from './alert-words.ts'
import type { LateWords } from './late-words.ts'

interface Tools {
  readonly collections: Collections
  readonly turns: BulkTurns
  readonly take: TakeNumbers
  readonly clock: Clock
  readonly ids: Ids
  readonly late: LateWords
}

/** One alert that is being inserted. */
interface Slot {
  readonly document: AlertDocument
  /** Whether another alert already has the idempotency key. */
  repeats: boolean
  fault: Error | null
  standing: NumberedAlertDocument | null
}

/**
 * How often a repeat looks for the number of the alert that has its idempotency key. It waits longer each
 * time: about two seconds in total.
 */
const looks = 11

/** Inserts the documents, and records the outcome in their slots. */
async function insertSlots(collections: Collections, slots: readonly Slot[], documents: readonly AlertDocument[]): Promise<void> {
  const inserted = await insertEach(collections.alerts, documents)
  for (const [index, slot] of slots.entries()) {
    const outcome = inserted[index]
    if (outcome instanceof Error) slot.fault = outcome
    else if (outcome === 'duplicate' && slot.document.idempotency) slot.repeats = true
    else if (outcome === 'duplicate') slot.fault = new Error(`There is already an alert with the id ${slot.document._id}.`)
  }
}

/**
 * Inserts alerts, those of concurrent calls together. Without an idempotency key, an alert is numbered and
 * then inserted. With one, it is inserted without a number, and the unique key lets only one of several
 * repeats in; then it is numbered. So a repeat takes no number, and nobody sees an alert without one.
 */
export function alertInserter(tools: Tools): (alerts: readonly NewAlert[]) => Promise<readonly InsertedAlert[]> {
  const { collections, turns, take, clock, ids, late } = tools
  const { alerts, alertWords } = collections

  /** Returns the alert that has the key, once its own insert has numbered it. If that insert died, numbers it here. */
  async function earlier({ createdBy, idempotency }: AlertDocument): Promise<NumberedAlertDocument> {
    const filter = { createdBy, 'idempotency.key': idempotency?.key ?? '' }
    for (let look = 0; look < looks; look++) {
      const found = await alerts.findOne(filter)
      if (isNumbered(found)) return found
      await clock.sleep(2 ** look)
    }
    const left = await alerts.findOne(filter)
    const [mended] = left ? (await numberLeft(tools, [left])).standing : []
    if (!mended) throw new Error('The alert that has the idempotency key was not found.')
    return mended
  }

  async function number(slots: readonly Slot[], searchable: Promise<void>): Promise<void> {
    const unnumberedOnes = slots.map(({ document }) => document)
    const [numbers] = await Promise.all([numberAll(take, unnumberedOnes), searchable])
    const paired = slots.map((slot, index) => ({ slot, next: numbers[index] as NumberedAlertDocument }))
    const unkeyed = paired.filter(({ slot }) => !slot.document.idempotency)
    const keyed = paired.filter(({ slot }) => slot.document.idempotency)
    for (const { slot, next } of unkeyed) slot.standing = next
    const [{ standing }] = await Promise.all([
      writeNumbers(
        alerts,
        keyed.map(({ next }) => next),
      ),
      insertSlots(
        collections,
        unkeyed.map(({ slot }) => slot),
        unkeyed.map(({ next }) => next),
      ),
    ])
    for (const [index, { slot }] of keyed.entries()) slot.standing = standing[index] ?? null
  }

  async function answer({ document, repeats, fault, standing }: Slot): Promise<InsertedAlert> {
    if (fault) throw fault
    if (standing && !repeats) return { alert: toAlert(standing), fresh: true }
    return { alert: toAlert(await earlier(document)), fresh: false }
  }

  const insert = async (calls: readonly (readonly NewAlert[])[]): Promise<readonly Outcome<readonly InsertedAlert[]>[]> => {
    const begun = clock.now()
    const blocks = blocksOf(calls.flat(), () => ids.uuid())
    const slots = blocks.flatMap(({ block, members }) =>
      members.map((alert): Slot => ({ document: unnumbered(alert, block._id), repeats: false, fault: null, standing: null })),
    )
    const keyed = slots.filter(({ document }) => document.idempotency)
    const searchable = writeBlocks(
      alertWords,
      blocks.map(({ block }) => block),
    )
    if (keyed.length > 0) {
      const documents = keyed.map(({ document }) => document)
      await Promise.all([insertSlots(collections, keyed, documents), searchable])
    }
    await number(
      slots.filter(({ repeats, fault }) => !repeats && !fault),
      searchable,
    )
    const standing = slots.filter(({ repeats, fault }) => !repeats && !fault).map(({ document }) => document)
    // The next bulk does not wait for this.
    const searchableNow = late.isLate(begun) ? late.give(standing) : null
    let from = 0
    return calls.map((call) => {
      const mine = slots.slice(from, from + call.length)
      from += call.length
      return async () => {
        await searchableNow
        return Promise.all(mine.map(answer))
      }
    })
  }
  const bulks = (): ((alerts: readonly NewAlert[]) => Promise<readonly InsertedAlert[]>) =>
    inBulks(turns, 64, insert, undefined, ({ length }) => length)
  // An alert of a light lane does not wait for the bulk of a flood that is under way.
  const [together, ahead] = [bulks(), bulks()]
  return (alerts) => (turns.lanes.isLightBesideHeavy(currentLane()) ? ahead : together)(alerts)
}

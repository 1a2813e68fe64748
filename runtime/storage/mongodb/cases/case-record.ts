import type { AnyBulkWriteOperation } from 'mongodb'
import {
  affectsCase,
  type Case,
  type CaseChange,
  type CaseUuid,
  caseAfter,
  inScope,
  type Millis,
  needsAttention,
  type Scope,
  type TimelineEntry,
} from '../../../domain/index.ts'
import { TocsinError } from '../../../errors/index.ts'
import { type BulkTurns, inBulks, insertEach, type Outcome } from '../client/index.ts'
import type { Collections } from '../database/index.ts'
import { type CaseDocument, toCase } from './case-documents.ts'
import { type RecentEntry, storedEntry, type TimelineDocument } from './timeline-documents.ts'
import { asKnown, known } from './words/index.ts'

interface Recording {
  readonly scope: Scope
  readonly uuid: CaseUuid
  readonly change: CaseChange | null
  readonly entry: TimelineEntry
}

/** The outcome of one recording: the case afterwards (null if it is out of scope), and whether the entry was new. */
interface Recorded {
  readonly found: Case | null
  readonly fresh: boolean
}

export type CaseRecorder = (scope: Scope, uuid: CaseUuid, change: CaseChange | null, entry: TimelineEntry) => Promise<Recorded>

/** If a case's document has more entries than this, or more bytes, its entries move to documents of their own. */
const mostRecent = 32
const largestRecent = 64 * 1024

/** Returns whether the recording changes its case. Then case and entry are one write. */
function changes({ change, entry }: Recording): boolean {
  return change !== null || affectsCase(entry.body)
}

function ownEntry({ uuid, entry }: Recording, written: number): TimelineDocument {
  return { _id: { case: uuid, key: entry.key }, ...storedEntry(entry, written) }
}

/**
 * Returns the write that records several entries with their changes. It does nothing if somebody has changed
 * the case meanwhile. A case that says the same as before stays known to its segment: then there are two
 * writes, and only one of them finds the case.
 */
function changing(standing: CaseDocument, calls: readonly Recording[], written: () => number): AnyBulkWriteOperation<CaseDocument>[] {
  const before = toCase(standing)
  let now = before
  const entries: RecentEntry[] = []
  for (const { change, entry } of calls) {
    const after = caseAfter(now, entry, change)
    now = { ...now, ...after.change, marks: after.marks, desk: after.desk, modifiedAt: entry.at }
    entries.push({ key: entry.key, ...storedEntry(after.entry, written()) })
  }
  const { title, severity, status, disposition, assignee, summary, marks, desk } = now
  const attention = needsAttention(marks)
  const updateOne = (condition: object, modifiedAt: Millis): AnyBulkWriteOperation<CaseDocument> => ({
    updateOne: {
      filter: { _id: standing._id, revision: standing.revision ?? null, ...condition } as never,
      update: {
        $set: {
          ...{ title, severity, status, disposition, assignee, summary, modifiedAt },
          ...(marks !== before.marks && { marks }),
          ...(desk !== before.desk && { desk }),
          ...(attention && { attention }),
        },
        ...(!attention && standing.attention && { $unset: { attention: '' } }),
        $push: { recent: { $each: entries } },
        $inc: { revision: 1 },
      },
    },
  })
  const mayStayKnown = standing.sealed !== undefined && title === before.title && summary === before.summary
  return [...(mayStayKnown ? [updateOne(known, asKnown(now.modifiedAt))] : []), updateOne({}, now.modifiedAt)]
}

/**
 * Records entries, those of concurrent calls together. An entry that changes nothing is a document of its
 * own. An entry with a change is written into the case's document, together with the change, so that no crash
 * can separate them. It moves out later.
 */
export function caseRecorder(collections: Collections, turns: BulkTurns, written: () => number): CaseRecorder {
  const { cases, timeline } = collections

  async function spill({ _id, recent }: CaseDocument): Promise<void> {
    if (recent.length <= mostRecent && recent.reduce((sum, { body }) => sum + body.length, 0) <= largestRecent) return
    const moving = recent.map(({ key, ...entry }): TimelineDocument => ({ _id: { case: _id, key }, ...entry }))
    const fault = (await insertEach(timeline, moving)).find((inserted) => inserted instanceof Error)
    if (fault) throw fault
    await cases.updateOne({ _id }, { $pull: { recent: { key: { $in: recent.map(({ key }) => key) } } } })
  }

  /**
   * Returns the recordings whose entry is not stored yet, each key once. The documents must be read before:
   * then an entry that has moved out of one since is found here.
   */
  async function missing(calls: readonly Recording[], documents: ReadonlyMap<CaseUuid, CaseDocument>): Promise<Recording[]> {
    if (calls.length === 0) return []
    const there = await timeline
      .find({ _id: { $in: calls.map(({ uuid, entry }) => ({ case: uuid, key: entry.key })) } }, { projection: { _id: 1 } })
      .toArray()
    const known = new Set(there.map(({ _id }) => `${_id.case} ${_id.key}`))
    for (const { _id, recent } of documents.values()) for (const { key } of recent) known.add(`${_id} ${key}`)
    return calls.filter(({ uuid, entry }) => {
      const name = `${uuid} ${entry.key}`
      const first = !known.has(name)
      known.add(name)
      return first
    })
  }

  const read = async (uuids: readonly CaseUuid[]): Promise<Map<CaseUuid, CaseDocument>> => {
    const found = await cases.find({ _id: { $in: [...uuids] } }).toArray()
    return new Map(found.map((document) => [document._id, document]))
  }

  /**
   * Writes changes until each is stored, by this or another process. Returns the recordings that this call
   * wrote, and the cases afterwards.
   */
  async function change(calls: readonly Recording[], first: Map<CaseUuid, CaseDocument>, uuids: readonly CaseUuid[]) {
    let documents = first
    const fresh = await missing(calls, documents)
    for (let left: readonly Recording[] = fresh; left.length > 0; left = await missing(left, documents)) {
      const bulk = [...Map.groupBy(left, ({ uuid }) => uuid)].flatMap(([uuid, own]) => {
        const standing = documents.get(uuid)
        if (!standing) throw new TocsinError('internal', `The case ${uuid} is gone.`)
        return changing(standing, own, written)
      })
      await cases.bulkWrite(bulk, { ordered: false })
      documents = await read(uuids)
    }
    return { fresh, documents }
  }

  const record = inBulks<Recording, Recorded>(turns, 256, async (calls) => {
    const uuids = [...new Set(calls.map(({ uuid }) => uuid))]
    const documents = await read(uuids)
    const mine = calls.filter(({ scope, uuid }) => {
      const found = documents.get(uuid)
      return found !== undefined && inScope(scope, found.organization)
    })
    const plain = mine.filter((call) => !changes(call))
    // An entry with this key may have come with a change. Such entries are in the case's document.
    const inDocument = new Set([...documents.values()].flatMap(({ _id, recent }) => recent.map(({ key }) => `${_id} ${key}`)))
    const own = plain.filter(({ uuid, entry }) => !inDocument.has(`${uuid} ${entry.key}`))
    const [inserted, changed] = await Promise.all([
      insertEach(
        timeline,
        own.map((call) => ownEntry(call, written())),
      ),
      change(mine.filter(changes), documents, uuids),
    ])
    const outcomes = new Map(own.map((call, index) => [call, inserted[index]]))
    const now = changed.documents
    await Promise.all([...now.values()].map(spill))
    const fresh = new Set(changed.fresh)
    return calls.map(
      (call): Outcome<Recorded> =>
        () => {
          const outcome = outcomes.get(call)
          if (outcome instanceof Error) throw outcome
          const standing = mine.includes(call) ? now.get(call.uuid) : undefined
          return { found: standing ? toCase(standing) : null, fresh: outcome === 'inserted' || fresh.has(call) }
        },
    )
  })
  return (scope, uuid, change, entry) => record({ scope, uuid, change, entry })
}

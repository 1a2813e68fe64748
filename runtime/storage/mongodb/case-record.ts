import type { AnyBulkWriteOperation } from 'mongodb'
import { type Case, type CaseChange, type CaseUuid, inScope, type Scope, type TimelineEntry } from '../../domain/index.ts'
import type { CaseStore } from '../port.ts'
import { insertEach } from './bulk.ts'
import { type CaseDocument, toCase } from './case-documents.ts'
import { coalesce, type Gate, type Outcome } from './coalesce.ts'
import type { Collections } from './collections.ts'
import { storedEntry, type TimelineDocument } from './timeline.ts'

interface Recording {
  readonly scope: Scope
  readonly uuid: CaseUuid
  readonly change: CaseChange | null
  readonly entry: TimelineEntry
}

/** More entries than this, or more bytes, and a case's document hands them on. */
const mostRecent = 32
const largestRecent = 64 * 1024

function ownEntry({ uuid, entry }: Recording, written: number): TimelineDocument {
  return { _id: { case: uuid, key: entry.key }, ...storedEntry(entry, written) }
}

/** Change and entry in one write, unless the entry is among the recent ones. */
function changing({ uuid, change, entry }: Recording, written: number): AnyBulkWriteOperation<CaseDocument> {
  return {
    updateOne: {
      filter: { _id: uuid, 'recent.key': { $ne: entry.key } },
      update: { $set: { ...change, modifiedAt: entry.at }, $push: { recent: { key: entry.key, ...storedEntry(entry, written) } } },
    },
  }
}

/**
 * Records, those of concurrent calls together. An entry without a change is a document of its own. One with a change goes into the
 * case's document in the same write as the change, so that no crash parts them; it moves out later.
 */
export function caseRecorder(collections: Collections, gate: Gate, written: () => number): CaseStore['record'] {
  const { cases, timeline } = collections

  async function spill({ _id, recent }: CaseDocument): Promise<void> {
    if (recent.length <= mostRecent && recent.reduce((sum, { body }) => sum + body.length, 0) <= largestRecent) return
    const moving = recent.map(({ key, ...entry }): TimelineDocument => ({ _id: { case: _id, key }, ...entry }))
    const fault = (await insertEach(timeline, moving)).find((inserted) => inserted instanceof Error)
    if (fault) throw fault
    await cases.updateOne({ _id }, { $pull: { recent: { key: { $in: recent.map(({ key }) => key) } } } })
  }

  const record = coalesce<Recording, Case | null>(gate, 256, async (calls) => {
    const uuids = [...new Set(calls.map(({ uuid }) => uuid))]
    const [owners, standing] = await Promise.all([
      cases.find({ _id: { $in: uuids } }, { projection: { organization: 1, 'recent.key': 1 } }).toArray(),
      timeline.find({ _id: { $in: calls.filter(({ change }) => change).map(({ uuid, entry }) => ({ case: uuid, key: entry.key })) } }).toArray(),
    ])
    const organizations = new Map(owners.map(({ _id, organization }) => [_id, organization]))
    const known = new Set(standing.map(({ _id }) => `${_id.case} ${_id.key}`))
    for (const { _id, recent } of owners) for (const { key } of recent) known.add(`${_id} ${key}`)
    const mine = calls.filter(({ scope, uuid }) => {
      const organization = organizations.get(uuid)
      return organization !== undefined && inScope(scope, organization)
    })
    const fresh = mine.filter(({ uuid, entry }) => !known.has(`${uuid} ${entry.key}`))
    const changes = fresh.filter(({ change }) => change)
    const plain = fresh.filter(({ change }) => !change)
    const [inserted] = await Promise.all([
      insertEach(
        timeline,
        plain.map((call) => ownEntry(call, written())),
      ),
      // In order: two changes of one case in one bulk shall apply as they came.
      changes.length > 0 &&
        cases.bulkWrite(
          changes.map((call) => changing(call, written())),
          { ordered: true },
        ),
    ])
    const faults = new Map(plain.map((call, index) => [call, inserted[index]]))
    const now = await cases.find({ _id: { $in: uuids } }).toArray()
    await Promise.all(now.map(spill))
    const byUuid = new Map(now.map((document) => [document._id, toCase(document)]))
    return calls.map(
      (call): Outcome<Case | null> =>
        () => {
          const fault = faults.get(call)
          if (fault instanceof Error) throw fault
          return mine.includes(call) ? (byUuid.get(call.uuid) ?? null) : null
        },
    )
  })
  return (scope, uuid, change, entry) => record({ scope, uuid, change, entry })
}

import { MaxKey, MinKey } from 'mongodb'
import type { JournalEntry, JournalRecord, Millis, RunId, Scope, TimelineEntry } from '../../../domain/index.ts'
import { inScope } from '../../../domain/index.ts'
import { TocsinError } from '../../../errors/index.ts'
import type { JournalStore } from '../../port/index.ts'
import { mustReach } from '../../scope-guard.ts'
import type { Insert } from '../client/index.ts'
import type { Collections } from '../database/index.ts'
import type { FirstClaim, JournalDocument } from './journal-documents.ts'
import { outputStore } from './outputs.ts'

/** A document may have 16 MiB, and the entry is not all of it. Bytes. */
const largestEntry = 16 * 1024 * 1024 - 64 * 1024

export function journalDocument(run: RunId, entry: JournalEntry, closing?: readonly TimelineEntry[]): JournalDocument {
  const { position, epoch, format } = entry
  const records = JSON.stringify(entry.records)
  const entries = closing && JSON.stringify(closing)
  if (Buffer.byteLength(records) + Buffer.byteLength(entries ?? '') > largestEntry)
    throw new TocsinError('output_too_large', 'A journal entry is larger than 16 MiB. Large outputs must be stored beside the journal.')
  const unsettled = closing !== undefined || entry.records.some(({ kind }) => kind === 'ended')
  return { _id: { run, position }, epoch, format, records, ...(unsettled && { unsettled }), ...(entries && { entries }) }
}

export function recordsOf(document: JournalDocument): readonly JournalRecord[] {
  return JSON.parse(document.records)
}

function toEntry(document: JournalDocument): JournalEntry {
  const { _id, epoch, format } = document
  return { position: _id.position, epoch, format, records: recordsOf(document) }
}

/** Returns the entry that a claim appends. */
export function claimedEntry(position: number, epoch: number, { owner, at }: FirstClaim, heldSince: Millis | null = null): JournalEntry {
  const claimed: JournalRecord = { kind: 'claimed', epoch, owner, at, ...(heldSince !== null && { heldSince }) }
  return { position, epoch, format: 1, records: [claimed] }
}

/** Reads the journal of a run. Its first entry may be in the run's own document. */
export async function readJournal(
  { journal }: Collections,
  { _id: run, begun }: { readonly _id: RunId; readonly begun?: FirstClaim },
): Promise<JournalEntry[]> {
  const found = await journal
    .find({ _id: { $gte: { run, position: new MinKey() }, $lte: { run, position: new MaxKey() } } as never })
    .sort({ _id: 1 })
    .toArray()
  return [...(begun ? [claimedEntry(0, 1, begun)] : []), ...found.map(toEntry)]
}

/** The `JournalStore` of the port on MongoDB. */
export function journalStore(collections: Collections, insert: Insert<JournalDocument>, newId: () => string): JournalStore {
  const { runs } = collections
  const outputs = outputStore(collections, newId)
  const sees = async (scope: Scope, run: RunId): Promise<boolean> => {
    if (scope.organizations === 'all') return true
    const found = await runs.findOne({ _id: run }, { projection: { organization: 1 } })
    return found !== null && inScope(scope, found.organization)
  }

  return {
    async append(scope, run, entry) {
      mustReach(await sees(scope, run), 'run')
      return (await insert(journalDocument(run, entry))) ? 'appended' : 'superseded'
    },
    async read(scope, run) {
      const found = await runs.findOne({ _id: run }, { projection: { organization: 1, begun: 1 } })
      if (scope.organizations !== 'all' && !(found && inScope(scope, found.organization))) return []
      return readJournal(collections, found ?? { _id: run })
    },
    async putOutput(scope, run, name, json) {
      mustReach(await sees(scope, run), 'run')
      await outputs.put(run, name, json)
    },
    async getOutput(scope, run, name) {
      return (await sees(scope, run)) ? outputs.get(run, name) : null
    },
  }
}

import { type JournalRecord, type Json, type RecordedOutput, type RecordedWrite, stepOf, TriedWrites, type WriteTries } from '../domain/index.ts'
import type { EvidenceWrite, WriteEvent } from './document.ts'

/** Reads the input of a write. Undefined: it is left out. */
export type ReadInput = (input: RecordedOutput) => Promise<Json | undefined>

/** Returns what a run tried to write, in the order of the first tries. */
export async function writesOf(records: readonly JournalRecord[], read: ReadInput): Promise<readonly EvidenceWrite[]> {
  const sent = new Map<string, RecordedWrite>()
  // What a handler sends: the record of its first request has its skill, connection and input.
  const firsts = new Map<string, RecordedWrite>()
  const histories = new Map<string, WriteEvent[]>()
  const changed = new Map<string, EvidenceWrite['changed']>()
  for (const record of records) {
    if (!('address' in record)) continue
    const { address } = record
    if ('write' in record && record.write) {
      if (!sent.has(address)) sent.set(address, record.write)
      if (!firsts.has(stepOf(address))) firsts.set(stepOf(address), record.write)
    }
    const unchanged = record.kind === 'answered' ? record.changed : record.kind === 'done' ? record.write?.changed : undefined
    if (unchanged !== undefined) changed.set(address, unchanged)
    const event = eventOf(record)
    if (event === null) continue
    const history = histories.get(address)
    if (history) history.push(event)
    else histories.set(address, [event])
  }
  const writes: EvidenceWrite[] = []
  for (const tries of new TriedWrites(records).all) {
    const { address, last } = tries
    const write = sent.get(address) ?? firsts.get(stepOf(address))
    const input = write && (await read(write.input))
    writes.push({
      step: address,
      skill: write?.skill ?? null,
      connection: { id: last.connection, revision: last.revision, instance: write?.connection.instance ?? null },
      target: write?.target ?? null,
      input: input ?? null,
      input_left_out: input === undefined,
      digest: last.digest,
      outcome: outcomeOf(tries),
      changed: changed.get(address) ?? null,
      history: histories.get(address) ?? [],
    })
  }
  return writes
}

function outcomeOf({ happened, open }: WriteTries): EvidenceWrite['outcome'] {
  if (happened) return 'done'
  return open.length > 0 ? 'unknown' : 'not_done'
}

function eventOf(record: JournalRecord): WriteEvent | null {
  switch (record.kind) {
    case 'intent':
      return { kind: 'intent', at: record.at, try: record.try, send_by: record.sendBy }
    case 'tried':
      return { kind: 'tried', at: record.at, try: record.try, effect: record.effect, code: record.code }
    case 'retried':
      return { kind: 'retried', at: record.at, code: record.code, until: record.until }
    case 'answered':
      return { kind: 'answered', at: record.at, try: record.try }
    case 'probed':
      return { kind: 'probed', at: record.at, try: record.try, happened: record.happened }
    case 'asked':
    case 'heard':
      return { kind: record.kind, at: record.at, decision: record.decision }
    case 'done':
      return { kind: 'done', at: record.at }
    case 'failed':
      return { kind: 'failed', at: record.at, effect: record.effect, code: record.failure.code, message: record.failure.message }
    default:
      return null
  }
}

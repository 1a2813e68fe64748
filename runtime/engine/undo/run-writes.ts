import type { JournalRecord, PinnedConnection, RecordedOutput, Unchanged } from '../../domain/index.ts'
import { type BegunWrite, begunWrites } from './begun-writes.ts'

/** How a write of a run ended. `partial`: it failed after it had changed something. */
export type WriteEnd = 'done' | 'not_happened' | 'in_doubt' | 'partial'

/** One write of a run, from its journal. */
export interface RunWrite {
  readonly address: string
  readonly end: WriteEnd
  /** Whether the journal has its outcome. A cancelled run leaves some without one. */
  readonly ended: boolean
  /** Code of the failure. */
  readonly code: string | null
  readonly message: string | null
  /** Null: the journal does not have it. */
  readonly sent: {
    readonly skill: string
    readonly connection: PinnedConnection
    readonly target: string | null
    readonly input: RecordedOutput
  } | null
  /** Null: unknown. */
  readonly output: RecordedOutput | null
  readonly changed: Unchanged | 'yes'
}

/** Codes of failures after which the call has still done all of its work. */
const afterwards: ReadonlySet<string> = new Set(['output_too_large', 'skill_output_invalid'])

/** Code of the failure of a call that has done part of its work. */
const inPart = 'items_failed'

type Ended = Extract<JournalRecord, { kind: 'done' | 'failed' }>

/** Returns the writes of a run, in the order in which they ended. Those without an outcome come last. */
export function writesOf(records: readonly JournalRecord[]): readonly RunWrite[] {
  const begun = begunWrites(records)
  const found = new Map<string, RunWrite>()
  for (const record of records) {
    if (record.kind !== 'done' && record.kind !== 'failed') continue
    const { address, write } = record
    if (write || begun.has(address)) found.set(address, written(record, begun.get(address)))
  }
  const lost = [...begun].filter(([address]) => !found.has(address))
  return [
    ...found.values(),
    ...lost.map(
      ([address, { end, code, write }]) => ({ address, end, ended: false, code, message: null, sent: write, output: null, changed: 'yes' }) as const,
    ),
  ]
}

function written(record: Ended, begun: BegunWrite | undefined): RunWrite {
  const { address, write } = record
  const sent = write ? { skill: write.skill, connection: write.connection, target: write.target, input: write.input } : null
  const changed: RunWrite['changed'] = write?.changed ?? 'yes'
  const common = { address, ended: true, sent, changed }
  if (record.kind === 'done') return { ...common, end: 'done', code: null, message: null, output: record.output }
  return { ...common, end: endOf(record, begun), code: record.failure.code, message: record.failure.message, output: record.output ?? null }
}

function endOf({ effect, failure }: Extract<Ended, { kind: 'failed' }>, begun: BegunWrite | undefined): WriteEnd {
  if (effect === 'done') return failure.code === inPart || (begun?.handler && !afterwards.has(failure.code)) ? 'partial' : 'done'
  // A refused last try says nothing about an earlier try.
  return effect === 'unknown' || begun?.end === 'in_doubt' ? 'in_doubt' : 'not_happened'
}

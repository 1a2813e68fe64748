import { type JournalRecord, type Millis, type Run, type TimelineEntry, TriedWrites, type UndoneCounts, type UndoState } from '../../domain/index.ts'
import { shownTarget } from '../write/resolve-unknown-write.ts'
import type { NotUndone, UndoDocument, UndoneWrite } from './document.ts'
import { endsOf } from './earlier-undos.ts'

/** The most writes that a text lists. It always gives the total. */
const mostNamed = 20

/** Codes of writes that are not undone because there is nothing to undo. */
const nothingToUndo: ReadonlySet<string> = new Set(['undo_not_happened', 'undo_unchanged'])
const doubtful: ReadonlySet<string> = new Set(['undo_in_doubt', 'undo_partial'])

interface Left {
  readonly write: UndoneWrite
  readonly why: string
}

/** What happened to all writes of the undone run, after all its undos. */
interface Sum {
  readonly undone: number
  readonly standing: readonly Left[]
  readonly inDoubt: readonly Left[]
  /** Whether this undo has undone anything, or may have. */
  readonly changed: boolean
}

/**
 * Returns the timeline entries of an undo that ended: each call with the write that it undoes, and a summary.
 * @param document null: the plan is gone
 * @param told the calls of the undo
 * @param records all records of its journal
 */
export function undoneEntries(
  run: Run,
  document: UndoDocument | null,
  told: readonly TimelineEntry[],
  records: readonly JournalRecord[],
  at: Millis,
): readonly TimelineEntry[] {
  const undoes = run.undo?.run ?? run.id
  const addresses = new Map(document?.steps.map(({ id, undoes: { address } }) => [id, address]))
  const actions = told.map((entry): TimelineEntry => {
    const address = 'step' in entry.actor ? addresses.get(entry.actor.step) : undefined
    return entry.body.kind === 'action' && address !== undefined ? { ...entry, body: { ...entry.body, undoes: { run: undoes, address } } } : entry
  })
  const { undone, standing, inDoubt, changed } = document ? sumOf(run, document, records, at) : unknown(records)
  const counts: UndoneCounts = { undone, standing: standing.length, inDoubt: inDoubt.length }
  const lines = [
    ...(undone > 0 ? [`${writes(undone)} of the run ${undone === 1 ? 'was' : 'were'} undone.`] : ['No write of the run was undone.']),
    ...named('is still in effect', 'are still in effect', standing),
    ...named('is in doubt: nobody knows whether it is still in effect', 'are in doubt: nobody knows whether they are still in effect', inDoubt),
  ]
  const how = { undo: run.id, undoes, ...askedBy(run), state: stateOf(counts), changed, ...counts }
  return [...actions, { key: `${run.id}#undone`, at, actor: { run: run.id, step: '' }, body: { kind: 'undone', ...how, text: lines.join('\n') } }]
}

/** Returns who asked for an undo, and why. If the name is unknown, it is the principal's id. */
export function askedBy({ undo, owner }: Run) {
  const principal = undo?.by ?? (owner as never)
  return { principal, by: undo?.name ?? String(principal), reason: undo?.reason ?? null }
}

function sumOf(run: Run, { steps, left }: UndoDocument, records: readonly JournalRecord[], at: Millis): Sum {
  const ends = endsOf({ ...run, endedAt: run.endedAt ?? at }, { steps, left }, records)
  const outcomes = steps.map((step) => ({ step, end: ends.get(step.id) }))
  const ofOutcome = (...wanted: readonly string[]) => outcomes.filter(({ end }) => wanted.includes(end?.outcome ?? 'not_begun'))
  const now = ofOutcome('undone').length
  const lost = ofOutcome('in_doubt').map(({ step, end }) => ({ write: step.undoes, why: end?.message ?? end?.code ?? 'its answer was lost' }))
  const kept = ofOutcome('failed', 'not_begun', 'pending').map(({ step, end }) => ({
    write: step.undoes,
    why: end?.outcome === 'failed' ? `${end.code ?? 'failed'}${end.message === null ? '' : `: ${end.message}`}` : 'the undo ended before this call',
  }))
  const because = ({ write, message }: NotUndone): Left => ({ write, why: message })
  const standing = left.filter(({ code }) => code !== 'undo_done' && !nothingToUndo.has(code) && !doubtful.has(code))
  return {
    undone: now + left.filter(({ code }) => code === 'undo_done').length,
    standing: [...kept, ...standing.map(because)],
    inDoubt: [...lost, ...left.filter(({ code }) => doubtful.has(code)).map(because)],
    changed: now + lost.length > 0,
  }
}

/** Used if the plan of the undo is gone. Each write that it sent may have undone something. */
function unknown(records: readonly JournalRecord[]): Sum {
  const inDoubt = new TriedWrites(records).sent.map(({ address }) => ({
    write: { address, skill: null, target: null, connection: null },
    why: 'the plan of the undo is gone',
  }))
  return { undone: 0, standing: [], inDoubt, changed: inDoubt.length > 0 }
}

function stateOf({ undone, standing, inDoubt }: UndoneCounts): Exclude<UndoState, 'under_way'> {
  if (inDoubt > 0) return 'in_doubt'
  if (undone === 0) return 'nothing'
  return standing > 0 ? 'partly' : 'undone'
}

function writes(count: number): string {
  return count === 1 ? '1 write' : `${count} writes`
}

function named(one: string, several: string, left: readonly Left[]): readonly string[] {
  if (left.length === 0) return []
  const more = left.length > mostNamed ? [`  and ${left.length - mostNamed} more`] : []
  return [`${writes(left.length)} ${left.length === 1 ? one : several}:`, ...left.slice(0, mostNamed).map(leftLine), ...more]
}

function leftLine({ write: { address, skill, target }, why }: Left): string {
  return `  ${skill ?? address}${target === null ? '' : ` on ${shownTarget(target)}`}: ${why}`
}

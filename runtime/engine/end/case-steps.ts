import { type JournalRecord, type Millis, type Run, systemScope } from '../../domain/index.ts'
import type { Store, TimelinePosition } from '../../storage/index.ts'
import { countMark, joinMark, stopMark } from '../journal/replay.ts'

/** What steps of kind `case` write. */
const kinds = ['note', 'finding', 'change'] as const
const marks = [joinMark, stopMark, countMark]
/** One page of a timeline: its entries, and their characters together. */
const page = { limit: 500, characters: 4_194_304 }
/** The most pages that are read: 20,000 entries. A person waits for them. */
const mostPages = 40
/** Clocks of processes may differ. No entry of a run is older than this before its beginning. */
const margin: Millis = 600_000

/**
 * Returns the addresses of the steps of a run that wrote into its case. The journal does not tell: such a step has no
 * record. It matters only if branches were cancelled or stopped, an iteration of a loop failed, or the run failed. For
 * runs without any of these this is empty.
 * Steps whose entries have more than 20,000 newer ones in the case may be missing.
 *
 * @param records of the run's journal
 */
export async function caseSteps(
  { cases }: Pick<Store, 'cases'>,
  run: Pick<Run, 'id' | 'case' | 'startedAt' | 'failure'>,
  records: readonly JournalRecord[],
): Promise<readonly string[]> {
  if (run.failure === null && !records.some(mayEndOthers)) return []
  const steps = new Set<string>()
  let before: TimelinePosition | null = null
  let pages = 0
  do {
    const { entries, earlier } = await cases.timeline(systemScope, run.case, { kinds, before, ...page })
    for (const { actor } of entries) if ('run' in actor && actor.run === run.id) steps.add(actor.step)
    before = earlier !== null && earlier.at >= run.startedAt - margin ? earlier : null
  } while (before !== null && ++pages < mostPages)
  return [...steps]
}

/** Returns whether some parts of the run may not have ended on their own: branches of a join, or iterations of a loop. */
function mayEndOthers(record: JournalRecord): boolean {
  return record.kind === 'decided' && marks.some((mark) => record.address.endsWith(mark))
}

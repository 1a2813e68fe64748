import { deathsAfter, type ExecutionEnd, noDeaths, type RunDeaths, type Session, type SessionId, stricterNeeded } from '../../../domain/index.ts'
import type { ClaimResult, UndoClaim } from '../../port/index.ts'
import type { Collections } from '../database/index.ts'
import { claimedEntry, journalDocument, readJournal } from '../journal/journal.ts'
import { factsOf, type RunCase, type RunDocument, toRun } from './run-documents.ts'
import { settleRun } from './run-settle.ts'
import type { RunTools } from './run-tools.ts'
import { sessionStates } from './sessions.ts'

const over: ClaimResult = { kind: 'over' }
const held: ClaimResult = { kind: 'held' }
const asleep: ClaimResult = { kind: 'asleep' }

/**
 * Returns how the last execution of a run ended. Null if it is still going on. An ended session never comes
 * back, so the answer is still true at the next step.
 */
export function executionEnd({ state, owner }: RunDocument, ownerState: Session['state'] | null, session: SessionId | null): ExecutionEnd | null {
  if (state === 'waiting') return 'slept'
  if (owner === session) return 'left'
  return ownerState === 'alive' ? null : ownerState === 'dead' ? 'died' : 'left'
}

/** Returns what the deaths of a run would be if it were claimed now. */
export async function deathsNow(collections: Collections, run: RunDocument, end: ExecutionEnd): Promise<RunDeaths> {
  const { epoch, deaths = noDeaths } = run
  // A run that slept has made progress.
  if (end === 'slept') return { ...deaths, inPlace: 0 }
  return deathsAfter({ epoch, deaths }, await readJournal(collections, run), end)
}

/**
 * Claims an existing run again. It continues from its journal, under the next epoch.
 * @param caseOf returns the run's case; called after the fence
 */
export async function reclaimRun(
  tools: RunTools,
  standing: RunDocument,
  claim: UndoClaim,
  caseOf: (run: RunDocument) => Promise<RunCase>,
): Promise<ClaimResult> {
  const { collections, insertJournal, facts, opening } = tools
  const { state, wakeAt, owner } = standing
  if (state !== 'running' && state !== 'waiting') return over
  if (state === 'waiting' && (wakeAt === null || wakeAt > claim.at)) return asleep
  const end = executionEnd(standing, (await sessionStates(collections, state === 'running' ? [owner] : [])).get(owner) ?? null, claim.session)
  if (end === null) return held
  const deaths = await deathsNow(collections, standing, end)
  const company = stricterNeeded(deaths, claim.among)
  if (company) return { kind: 'apart', company }
  const epoch = standing.epoch + 1
  const { matchedCount } = await collections.runs.updateOne(
    { _id: claim.run, state, epoch: standing.epoch },
    {
      $set: { state: 'running', wakeAt: null, epoch, owner: claim.session, ...(deaths.total > 0 && { deaths }) },
      $unset: { wokenAt: '', heldBy: '' },
    },
  )
  if (matchedCount === 0) return held
  const heldSince = standing.heldSince ?? null
  const run: RunDocument = { ...standing, state: 'running', wakeAt: null, epoch, owner: claim.session, deaths }
  for (;;) {
    const journal = await readJournal(collections, standing)
    const last = journal.at(-1)
    if (last?.records.some(({ kind }) => kind === 'ended')) {
      // The end may have been stored while the case was being opened.
      await caseOf(run)
      await settleRun(tools, run, last.position)
      return over
    }
    // A later claim has overtaken this one. To append here would fence that one off, and what it has just done would not be stored.
    if (journal.some((entry) => entry.epoch > epoch)) return held
    const position = last ? last.position + 1 : 0
    // The previous owner may append before this entry is written. Then the journal has become longer, and is
    // read again.
    if (!(await insertJournal(journalDocument(claim.run, claimedEntry(position, epoch, { owner: claim.session, at: claim.at }, heldSince))))) continue
    // Remove `heldSince` only after the append, so that a crash in between does not lose it. It does no harm
    // if two executions write it.
    if (heldSince !== null) await collections.runs.updateOne({ _id: claim.run, epoch }, { $unset: { heldSince: '' } })
    const theCase = await caseOf(run)
    opening.delete(run._id)
    facts.set(run._id, factsOf(run, theCase.uuid))
    return { kind: 'claimed', run: toRun(run, theCase), position: position + 1, journal, heldSince }
  }
}

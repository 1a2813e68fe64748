import { AlertStatus, inScope, type JournalEntry, type JournalRecord } from '../../domain/index.ts'
import type { ClaimResult, RunClaim, RunStore } from '../port.ts'
import { caseDocument } from './case-documents.ts'
import { continueCase, joinCase } from './case-join.ts'
import { duplicateFinder } from './fingerprints.ts'
import { journalDocument, readJournal } from './journal.ts'
import { firstLife, type RunCase, type RunDocument, toRun } from './run-documents.ts'
import { projectClaim } from './run-projections.ts'
import { settleRun } from './run-settle.ts'
import type { AlertFacts, ClaimedAlert, KnownAlerts, RunTools } from './run-tools.ts'

const over: ClaimResult = { kind: 'over' }
const held: ClaimResult = { kind: 'held' }
const asleep: ClaimResult = { kind: 'asleep' }

function claimedEntry(position: number, epoch: number, { session, at }: RunClaim): JournalEntry {
  const claimed: JournalRecord = { kind: 'claimed', epoch, owner: session, at }
  return { position, epoch, format: 1, records: [claimed] }
}

export function runClaimer(tools: RunTools, known: KnownAlerts): RunStore['claim'] {
  const { collections, insertRun, insertJournal, insertCase, findAlert, caseOfAlert, take, written, facts, audience } = tools
  const findDuplicate = duplicateFinder(tools)

  async function readAlert(claim: RunClaim): Promise<(ClaimedAlert & AlertFacts) | null> {
    const found = await findAlert(claim.alert)
    if (!found?.alertId || found.organization !== claim.organization || found.retryCount + 1 !== claim.attempt) return null
    return { ...found, alertId: found.alertId }
  }

  /** The alert's case, opened if it has none, and the alert at 10 with it. */
  async function opened(claim: RunClaim, run: RunDocument, alert: AlertFacts & Partial<ClaimedAlert>, mayHaveCase: boolean): Promise<RunCase> {
    const standing = mayHaveCase ? await caseOfAlert(claim.alert) : null
    if (standing) {
      const theCase = { uuid: standing._id, caseId: standing.caseId }
      if (alert.status !== AlertStatus.inProgress || alert.case !== theCase.uuid) await projectClaim(tools, run, theCase, claim.at)
      return theCase
    }
    const mine = { alertId: alert.alertId, alertUuid: claim.alert }
    const { organization, run: id, at } = claim
    const kept =
      mayHaveCase && alert.case ? await continueCase(collections, alert.case, { organization, alert: mine, run: id, at, written: written() }) : null
    if (kept) {
      await projectClaim(tools, run, kept, at)
      return kept
    }
    const { join } = claim.opening
    if (join) {
      const joined = await joinCase(collections, { organization, alert: mine, run: id, join, at, written: written() })
      if (joined) {
        await projectClaim(tools, run, joined, at)
        return joined
      }
    }
    // A crash may have left a case in the alert's projection that was not written: it is opened under the number it has.
    const promised = alert.case && alert.caseId ? { uuid: alert.case, caseId: alert.caseId } : null
    const number = promised ? Number(promised.caseId.slice(alert.organizationCode.length + 1)) : await take(`case ${alert.organizationCode}`, 1)
    const theCase = promised ?? { uuid: claim.opening.uuid, caseId: `${alert.organizationCode}-${number}` }
    const document = caseDocument({
      ...theCase,
      organization: claim.organization,
      number,
      alert: mine,
      run: claim.run,
      opening: { ...claim.opening, uuid: theCase.uuid },
      at: claim.at,
      written: written(),
      announced: await audience.isTold('case.opened', claim.organization),
    })
    // One that may be joined might turn out to be there already: then the alert must not have shown another.
    const project = () => projectClaim(tools, run, theCase, claim.at)
    const inserted = join ? await insertCase(document) : (await Promise.all([insertCase(document), project()]))[0]
    if (join && inserted) await project()
    // Somebody opened it meanwhile; or the number is another case's, and a new one is taken.
    return inserted ? theCase : opened(claim, run, { ...alert, case: null, caseId: null }, true)
  }

  async function begin(claim: RunClaim, alert: AlertFacts & Partial<ClaimedAlert>): Promise<ClaimResult> {
    const run = firstLife(claim)
    const [placed, theCase] = await Promise.all([
      insertJournal(journalDocument(claim.run, claimedEntry(0, 1, claim))),
      opened(claim, run, alert, claim.attempt > 1),
    ])
    if (!placed) return held
    facts.note(run._id, { organization: run.organization, alert: run.alert, attempt: run.attempt, case: theCase.uuid })
    return { kind: 'claimed', run: toRun(run, theCase), position: 1, journal: [] }
  }

  /** Whether somebody else lives who has the run. A session that is dead stays dead, so the answer holds until the next step. */
  async function lives(run: RunDocument, claim: RunClaim): Promise<boolean> {
    if (run.owner === claim.session) return false
    return (await collections.sessions.findOne({ _id: run.owner, state: 'alive' })) !== null
  }

  async function takeOver(claim: RunClaim): Promise<ClaimResult> {
    const [standing, alert] = await Promise.all([collections.runs.findOne({ _id: claim.run }), readAlert(claim)])
    if (!standing || !alert) return over
    const { state, wakeAt } = standing
    if (state !== 'running' && state !== 'waiting') return over
    if (state === 'waiting' && (wakeAt === null || wakeAt > claim.at)) return asleep
    if (state === 'running' && (await lives(standing, claim))) return held
    const epoch = standing.epoch + 1
    const { matchedCount } = await collections.runs.updateOne(
      { _id: claim.run, state, epoch: standing.epoch },
      { $set: { state: 'running', wakeAt: null, epoch, owner: claim.session }, $unset: { wokenAt: '' } },
    )
    if (matchedCount === 0) return held
    const run: RunDocument = { ...standing, state: 'running', wakeAt: null, epoch, owner: claim.session }
    for (;;) {
      const journal = await readJournal(collections, claim.run)
      const last = journal.at(-1)
      if (last?.records.some(({ kind }) => kind === 'ended')) {
        await settleRun(tools, run, last.position)
        return over
      }
      const position = last ? last.position + 1 : 0
      // Whoever had the run may still append until this one is in; then the log is longer, and is read again.
      if (!(await insertJournal(journalDocument(claim.run, claimedEntry(position, epoch, claim))))) continue
      const theCase = await opened(claim, run, alert, true)
      facts.note(run._id, { organization: run.organization, alert: run.alert, attempt: run.attempt, case: theCase.uuid })
      return { kind: 'claimed', run: toRun(run, theCase), position: position + 1, journal }
    }
  }

  return async (scope, claim) => {
    if (!inScope(scope, claim.organization)) return over
    const remembered = claim.attempt === 1 ? known.get(claim.alert) : undefined
    // The first attempt of an alert is the current one until its run exists, so nothing that may have changed needs to be read.
    const alert = remembered ?? (await readAlert(claim))
    if (alert?.organization !== claim.organization) return over
    const decided = claim.fingerprint && claim.attempt === 1 ? await findDuplicate(claim, claim.fingerprint) : null
    if (decided) return decided
    return (await insertRun(firstLife(claim))) ? begin(claim, alert) : takeOver(claim)
  }
}

import { AlertStatus, inScope, statusesBeforeClaim } from '../../../domain/index.ts'
import { TocsinError } from '../../../errors/index.ts'
import type { ClaimResult, RunClaim, RunStore } from '../../port/index.ts'
import { duplicateFinder } from '../alerts/fingerprints.ts'
import { caseDocument } from '../cases/case-documents.ts'
import { continueCase, joinCase } from '../cases/case-join.ts'
import { translate } from '../client/index.ts'
import { projectClaim } from './claim-projection.ts'
import { factsOf, newlyClaimed, type RunCase, type RunDocument, toRun } from './run-documents.ts'
import { reclaimRun } from './run-reclaim.ts'
import type { ClaimedAlert, RunTools } from './run-tools.ts'

const over: ClaimResult = { kind: 'over' }

function deathsBefore({ attempt }: RunClaim, { preparing }: ClaimedAlert): number {
  return preparing?.attempt === attempt ? preparing.deaths : 0
}

/** Returns an alert as it is from its insert until its first claim. */
function waiting({ organization }: RunClaim, names: NonNullable<RunClaim['justStored']>): ClaimedAlert {
  return { ...names, organization, status: AlertStatus.created, retryCount: 0, case: null, caseId: null }
}

function newCase({ opening }: RunClaim, { organizationCode }: ClaimedAlert, number: number): RunCase {
  return { uuid: opening.uuid, caseId: `${organizationCode}-${number}` }
}

export function runClaimer(tools: RunTools): RunStore['claim'] {
  const { collections, insertRun, insertCase, findAlert, caseOfAlert, take, written, facts, opening, audience, toShow } = tools
  const findDuplicate = duplicateFinder(tools)

  async function readAlert(claim: RunClaim): Promise<ClaimedAlert | null> {
    const found = await findAlert(claim.alert)
    if (!found?.alertId || found.organization !== claim.organization || found.retryCount + 1 !== claim.attempt) return null
    return { ...found, alertId: found.alertId }
  }

  /**
   * Returns whether this claim will open a case, if the process lives. Nobody else begins the run of an alert that was
   * just stored, so a number that is taken for its case is not lost.
   */
  const opensCase = ({ attempt, justStored, opening }: RunClaim): boolean => attempt === 1 && justStored !== undefined && !opening.join

  const takeNumber = ({ organizationCode }: ClaimedAlert): Promise<number> => take(`case ${organizationCode}`, 1)

  /**
   * Returns whether the alert may show a new claim later. Not while another process may still find that the alert is a
   * duplicate: it could end the alert, because the alert shows no run.
   */
  const showsLater = ({ mayShowLater = false, justStored, fingerprint }: RunClaim): boolean => mayShowLater && (Boolean(justStored) || !fingerprint)

  /**
   * Returns the alert's case, and opens one if it has none. Also sets the alert to 10, with that case, or has it done later.
   * @param taken a number for a new case; null: none was taken yet
   * @param insert inserts a new case
   */
  async function opened(
    claim: RunClaim,
    run: RunDocument,
    alert: ClaimedAlert,
    mayHaveCase: boolean,
    taken: number | null = null,
    insert = insertCase,
  ): Promise<RunCase> {
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
    // A crash may have set the alert's case without writing it. Open it with the number that the alert shows.
    const promised = alert.case && alert.caseId ? { uuid: alert.case, caseId: alert.caseId } : null
    const number = promised ? Number(promised.caseId.slice(alert.organizationCode.length + 1)) : (taken ?? (await takeNumber(alert)))
    const theCase = promised ?? newCase(claim, alert, number)
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
    const later = !mayHaveCase && showsLater(claim)
    // A case that alerts may join might already exist. The alert must not show another one before that is known.
    const project = () => projectClaim(tools, run, theCase, claim.at)
    const inserted = join || later ? await insert(document) : (await Promise.all([insert(document), project()]))[0]
    if (inserted && later) toShow.later({ run, case: theCase, at: claim.at })
    else if (inserted && join) await project()
    // Another process has opened the case meanwhile, or the number is taken. Try again, with a new number if needed.
    return inserted ? theCase : opened(claim, run, { ...alert, case: null, caseId: null }, true)
  }

  /**
   * Opens the case of an alert that was just stored, while the run goes on.
   * @param number of the case
   * @returns `sent` resolves when the command may be on its way. It never rejects
   */
  function openedSoon(
    claim: RunClaim,
    run: RunDocument,
    alert: ClaimedAlert,
    number: number,
  ): { readonly theCase: RunCase; readonly opened: Promise<void>; readonly sent: Promise<void> } {
    const theCase = newCase(claim, alert, number)
    const sent = Promise.withResolvers<void>()
    const insert: typeof insertCase = (document) => {
      const inserting = insertCase(document)
      // Bulks begin in the next turn of the event loop, which was asked for before this one.
      setImmediate(sent.resolve)
      return inserting
    }
    const work = opened(claim, run, alert, false, number, insert).then(
      (found) => {
        if (found.uuid !== theCase.uuid || found.caseId !== theCase.caseId)
          throw new TocsinError('store_unavailable', `The number of the case ${theCase.caseId} was taken. The run continues with ${found.caseId}.`)
      },
      (error: unknown) => {
        throw translate(error)
      },
    )
    // If the case could not be opened, `end` refuses the run until it is claimed again. So a failed promise stays here.
    opening.set(claim.run, work)
    work.then(() => opening.delete(claim.run)).catch(() => undefined)
    // The run waits for it later.
    work.catch(() => undefined).finally(sent.resolve)
    return { theCase, opened: work, sent: sent.promise }
  }

  /** Begins the run, if it is new. Null: it exists. */
  async function begin(claim: RunClaim, alert: ClaimedAlert): Promise<ClaimResult | null> {
    const run = newlyClaimed(claim, deathsBefore(claim, alert))
    const [inserted, number] = await Promise.all([insertRun(run), opensCase(claim) ? takeNumber(alert) : null])
    if (!inserted) return null
    const soon = number === null ? null : openedSoon(claim, run, alert, number)
    // Otherwise the first steps of the run would use the processor before the case leaves.
    await soon?.sent
    const theCase = soon?.theCase ?? (await opened(claim, run, alert, claim.attempt > 1))
    facts.set(run._id, factsOf(run, theCase.uuid))
    const shown = showsLater(claim) && (soon?.opened.catch(() => undefined) ?? Promise.resolve()).then(() => toShow.shown(run._id))
    const promises = { ...(soon && { opened: soon.opened, endsAhead: true as const }), ...(shown && { shown }) }
    return { kind: 'claimed', run: toRun(run, theCase), position: 1, journal: [], heldSince: null, ...promises }
  }

  async function takeOver(claim: RunClaim): Promise<ClaimResult> {
    const [standing, alert] = await Promise.all([collections.runs.findOne({ _id: claim.run }), readAlert(claim)])
    return standing && alert ? reclaimRun(tools, standing, claim, (run) => opened(claim, run, alert, true)) : over
  }

  return async (scope, claim) => {
    if (!inScope(scope, claim.organization)) return over
    audience.lookAhead()
    // Read the alert for the first attempt too, unless it is new. A duplicate ends without a run, and may be
    // investigated again before a job of its first attempt arrives.
    const alert = claim.justStored && claim.attempt === 1 ? waiting(claim, claim.justStored) : await readAlert(claim)
    if (!alert) return over
    const decided = claim.fingerprint && claim.attempt === 1 ? await findDuplicate(claim, claim.fingerprint) : null
    if (decided) return decided
    const waits = statusesBeforeClaim.includes(alert.status)
    return (waits ? await begin(claim, alert) : null) ?? takeOver(claim)
  }
}

import type { Failure, Json } from '../../../domain/index.ts'
import type { ParallelStep } from '../../../playbook/index.ts'
import { dropDecisions } from '../../decisions/drop-decisions.ts'
import { failed } from '../../failure/failed.ts'
import { Cancelled, mostUrgentError, RunFailed, Sleeping, StepFailed, type StopOf, Stopped } from '../../failure/signals.ts'
import { stepFailureOf } from '../../failure/step-failure.ts'
import { decide } from '../../journal/decide.ts'
import { joinMark, stopMark } from '../../journal/replay.ts'
import type { Execution } from '../execution.ts'
import { BranchStop } from '../flow/branch-stop.ts'
import { changesOf, concurrentFrame, type Frame, mergeChanges } from '../flow/frame.ts'
import { runConcurrently } from '../flow/run-concurrently.ts'
import type { NestingRunner } from '../step-runners.ts'

/** How a branch ended by itself. A null failure: it succeeded. */
type BranchEnd = { readonly failure: Failure | null }

interface Branch {
  readonly name: string
  readonly frame: Frame
  readonly address: string
  /** Absent while the branch runs. */
  end?: BranchEnd
}

/** What the journal records about a join: how each branch ended, for the branches that had ended by then. */
type Ended = Readonly<Record<string, 'done' | 'failed'>>

/**
 * Runs the branches concurrently, each on its own variables. Merges those that had ended when the join was
 * reached. The journal records which ones, so that a resumed run sees the same.
 * Output: for each branch, `{ status: done | failed | left | cancelled, error? }`.
 */
export const runParallel: NestingRunner<'parallel'> = async (execution, frame, step, address, runSteps) => {
  const standing = execution.replay.decision(`${address}${joinMark}`) as Ended | undefined
  const foreseen = execution.replay.foreseen(`${address}${joinMark}`) !== undefined
  const joined = Promise.withResolvers<void>()
  const branches = step.branches.map(({ name }): Branch => {
    const at = `${address}/${name}`
    const branchStop = new BranchStop(frame.branchStop, execution.replay.ahead(at))
    return { name, address: at, frame: concurrentFrame(frame, at, branchStop) }
  })
  const counts = ({ name }: Branch): boolean => !standing || Object.hasOwn(standing, name)
  // A branch that was cancelled in an earlier execution begins nothing in this one.
  const asleep = new Map<Branch, Sleeping>()
  const cancelled = new Set<Branch>()
  const cancel = (branch: Branch): void => {
    cancelled.add(branch)
    branch.frame.branchStop.stop(new Cancelled())
    dropDecisions(execution, branch.address)
  }
  const endAll = (reason: Error): void => {
    frame.branchStop.stopAround(reason)
    for (const branch of branches) branch.frame.branchStop.stop(reason)
  }
  const stopped = execution.replay.decision(`${address}${stopMark}`) as StopOf | undefined
  // If a branch stopped the run, and the run continued only for a write in doubt, nothing more begins.
  if (stopped) endAll(new Stopped(stopped.outcome, stopped.reason))
  const stopAhead = execution.replay.foreseen(`${address}${stopMark}`) as StopOf | undefined
  if (stopAhead) frame.branchStop.foresee(new Stopped(stopAhead.outcome, stopAhead.reason))
  if (standing && step.rest === 'cancel') {
    for (const branch of branches) {
      if (counts(branch)) continue
      // The rehearsal of a recorded run cancels it at the join, as the run did.
      if (foreseen) branch.frame.branchStop.foresee(new Cancelled())
      else cancel(branch)
    }
  }
  /** Ends all branches if one of them has ended the run. */
  const endIfOver = (reason: unknown): void => {
    if (reason instanceof Stopped) decide(execution, `${address}${stopMark}`, () => ({ outcome: reason.outcome, reason: reason.reason }))
    if (reason instanceof Stopped || reason instanceof RunFailed) endAll(reason)
  }
  let open = true
  const reached = (): boolean => isReached(step, branches) && branches.every((branch) => branch.end || !standing || !counts(branch))
  const parts = step.branches.map(({ steps }, index) => ({
    begun: true,
    async run() {
      const branch = branches[index] as Branch
      const end = await runBranch(branch, () => runSteps(execution, branch.frame, steps)).catch((error: unknown) => {
        endIfOver(error)
        throw error
      })
      // A step inside may have ended the run, and the branch sleeps only until a write in doubt is settled.
      endIfOver(branch.frame.branchStop.reason)
      if (end instanceof Sleeping) asleep.set(branch, end)
      if (!end || end instanceof Sleeping) return
      if (!open || !counts(branch)) return reportLateFailure(execution, branch, end)
      branch.end = end
      execution.replay.markReplayed(branch.address)
      if (reached()) joined.resolve()
    },
  }))
  /**
   * Returns the sleeps that the run must be woken for. Branches that were cancelled, or stopped with the run,
   * need not be woken, unless a write must be settled.
   */
  const waiting = (over: boolean): Sleeping[] =>
    [...asleep].filter(([branch, { binding }]) => binding || !(over || cancelled.has(branch))).map(([, sleeping]) => sleeping)
  const all = runConcurrently(parts, Number.POSITIVE_INFINITY).then(
    () => {
      const sleeping = waiting(false)
      if (sleeping.length > 0) throw mostUrgentError(sleeping)
    },
    (error: unknown) => {
      throw mostUrgentError([error, ...waiting(true)])
    },
  )
  try {
    await Promise.race([joined.promise, all])
  } finally {
    open = false
  }
  // The journal has the join before what follows from it.
  if (!standing || foreseen) execution.journal.defer({ kind: 'decided', address: `${address}${joinMark}`, value: endedOf(branches) })
  const behind = branches.filter(({ end }) => !end)
  if (behind.length > 0) {
    if (step.rest === 'cancel') for (const branch of behind) cancel(branch)
    for (const branch of behind) execution.replay.leaveBehind(branch.address)
    frame.background.add(all, frame.branchStop)
  }
  if (standing && JSON.stringify(standing) !== JSON.stringify(endedOf(branches)))
    throw new RunFailed(failed('journal_mismatch', 'The branches ended differently than before.', address))
  for (const branch of branches) if (branch.end) mergeBranch(frame, branch)
  const failure = failureOfJoin(step, branches, address)
  if (failure) throw new StepFailed(failure)
  return Object.fromEntries(branches.map(({ name, end }) => [name, viewOf(end, step.rest)]))
}

/**
 * Runs a branch until it ends or sleeps. Null: it was cancelled.
 * @throws errors that concern the whole run
 */
async function runBranch(branch: Branch, run: () => Promise<void>): Promise<BranchEnd | Sleeping | null> {
  try {
    await run()
    return { failure: null }
  } catch (error) {
    if (error instanceof Cancelled) return null
    if (error instanceof Sleeping) return error
    if (error instanceof StepFailed) return { failure: stepFailureOf(error, branch.address) }
    throw error
  }
}

/** Returns whether the join is decided: the steps after the branches may begin, or never will. */
function isReached({ join }: ParallelStep, branches: readonly Branch[]): boolean {
  const ended = branches.filter(({ end }) => end)
  if (join === 'all') return ended.length === branches.length
  const need = join === 'any' ? 1 : join
  const done = ended.filter(({ end }) => end?.failure === null).length
  return done >= need || branches.length - (ended.length - done) < need
}

function failureOfJoin({ join }: ParallelStep, branches: readonly Branch[], address: string): Failure | null {
  const failures = branches.flatMap(({ name, end }) => (end?.failure ? [{ name, failure: end.failure }] : []))
  if (join === 'all') return failures[0]?.failure ?? null
  const need = join === 'any' ? 1 : join
  const done = branches.filter(({ end }) => end?.failure === null).length
  if (done >= need) return null
  const why = failures.map(({ name, failure }) => `${name}: ${failure.code}, ${failure.message}`).join('; ')
  const causes = failures.map(({ failure }) => failure)
  return { ...failed('branches_failed', `${done} of the ${need} required branches succeeded (${why})`, address), causes }
}

/** Merges the results of the branch's steps, and what it changed. */
function mergeBranch(frame: Frame, { frame: own }: Branch): void {
  for (const [id, left] of Object.entries(own.steps)) frame.steps[id] = left
  mergeChanges(frame, changesOf(own))
}

function endedOf(branches: readonly Branch[]): Ended {
  return Object.fromEntries(branches.flatMap(({ name, end }) => (end ? [[name, end.failure ? 'failed' : 'done'] as const] : [])))
}

function viewOf(end: BranchEnd | undefined, rest: ParallelStep['rest']): Json {
  if (!end) return { status: rest === 'cancel' ? 'cancelled' : 'left' }
  const { failure } = end
  return failure ? { status: 'failed', error: { code: failure.code, message: failure.message } } : { status: 'done' }
}

/**
 * Reports a failure in a branch that nothing waits for any more. No step can handle it, so the case says it.
 */
function reportLateFailure(execution: Execution, { address }: Branch, { failure }: BranchEnd): void {
  if (!failure) return
  const text = `${failure.step ?? address}: ${failure.message}`
  execution.caseLog.add(`${address}/failed`, execution.clock.now(), { kind: 'failure', code: failure.code, text })
}

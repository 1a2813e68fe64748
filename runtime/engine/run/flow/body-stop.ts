import { type StopOf, Stopped } from '../../failure/signals.ts'
import { decide } from '../../journal/decide.ts'
import { stopMark } from '../../journal/replay.ts'
import type { ReplayContext } from '../contexts.ts'
import { BranchStop } from './branch-stop.ts'

/**
 * Makes what keeps the steps of a playbook from beginning once a branch of it has stopped them. The journal records that,
 * so that a later execution begins none of them either before it comes to the branch.
 *
 * @param prefix of the addresses of the steps
 * @param outer of the calling playbook; null for the run's own playbook
 */
export function bodyStop(execution: ReplayContext, prefix: string, outer: BranchStop | null = null): BranchStop {
  const { replay } = execution
  const at = `${prefix}${stopMark}`
  const stop = new BranchStop(outer, replay.ahead(prefix), ({ outcome, reason }) => void decide(execution, at, () => ({ outcome, reason })))
  const foreseen = replay.foreseen(at) as StopOf | undefined
  const standing = foreseen ? undefined : (replay.decision(at) as StopOf | undefined)
  if (foreseen) stop.foresee(new Stopped(foreseen.outcome, foreseen.reason))
  if (standing) stop.stop(new Stopped(standing.outcome, standing.reason))
  return stop
}

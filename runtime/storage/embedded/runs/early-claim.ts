import type { ClaimResult, RunStore } from '../../port/index.ts'

/** A claim, as it was executed and as it was committed. `executed` may never settle. */
export interface ClaimAnswer {
  readonly executed: Promise<ClaimResult>
  readonly committed: Promise<ClaimResult>
}

/**
 * Returns a `claim` that answers before its commit if the alert is new. So the run sends its first reads while the disk writes. `opened` resolves with
 * the commit: until then, the run stores and changes nothing. Whoever has claimed the alert before is known when the claim is executed, because this
 * process is the only one.
 * @param claim claims without waiting for the commit
 */
export function claimBeforeCommit(
  runs: Pick<RunStore, 'claim'>,
  claim: (...parameters: Parameters<RunStore['claim']>) => ClaimAnswer,
): RunStore['claim'] {
  return async (scope, claiming) => {
    if (!claiming.justStored && !claiming.underWay) return runs.claim(scope, claiming)
    const { executed, committed } = claim(scope, claiming)
    const first = await Promise.race([executed, committed])
    if (first.kind !== 'claimed' || first.run.epoch > 1) return committed
    const opened = committed.then(() => {})
    // The run may end before it waits for it.
    opened.catch(() => {})
    return { ...first, opened }
  }
}

import { type Failure, type Millis, type Run, type SentWrite, systemScope, type TimelineEntry } from '../../domain/index.ts'
import type { Store } from '../../storage/index.ts'
import { isInfrastructureFault } from './infrastructure-fault.ts'

/** What follows a failed attempt. */
export interface NextAttempt {
  /** When the next attempt is due. Null: no attempt follows automatically. */
  readonly due: Millis | null
  /** The reason, for the case. */
  readonly text: string
}

/**
 * Decides whether another attempt follows a failed one automatically. Requires an infrastructure fault, no
 * write that may have happened, and a delay left since a person last asked for an attempt.
 * @param delays before the first automatic attempt, the second and so on
 * @returns null if nobody would expect another attempt
 */
export async function nextAttempt(
  store: Pick<Store, 'runs'>,
  delays: readonly Millis[],
  run: Run,
  failure: Failure,
  writes: readonly SentWrite[],
  now: Millis,
): Promise<NextAttempt | null> {
  if (delays.length === 0 || !isInfrastructureFault(failure)) return null
  const [first, ...others] = writes
  if (first) {
    const more = others.length === 0 ? '' : ` and ${others.length} more`
    return { due: null, text: `No automatic retry: ${first.address}${more} may have changed something, and a retry would do it again.` }
  }
  const retries = retriesBefore(run, await store.runs.ofAlert(systemScope, run.alert))
  const delay = delays[retries]
  if (delay === undefined) return { due: null, text: `No automatic retry: ${retries} retries have failed.` }
  return { due: now + delay, text: `Automatic retry ${retries + 1} of ${delays.length} follows.` }
}

/** Returns how many automatic attempts in a row led to this one. */
function retriesBefore(run: Run, attempts: readonly Run[]): number {
  let retries = 0
  let next = run
  for (const one of attempts.filter(({ attempt }) => attempt < run.attempt).toReversed()) {
    // If the next attempt began earlier than planned, somebody asked for it.
    if (one.retryAt === null || next.startedAt < one.retryAt) break
    retries += 1
    next = one
  }
  return retries
}

/** Returns the timeline entry about the next attempt. */
export function nextAttemptEntry({ id }: Run, { due, text }: NextAttempt, at: Millis): TimelineEntry {
  return { key: `${id}#retry`, at, actor: { run: id, step: '' }, body: { kind: 'retry', due, text } }
}

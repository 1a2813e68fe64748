import type { Millis } from '../domain/index.ts'
import { type CallFailure, nextDelay, type RetryRule } from '../plugin/index.ts'
import { callKey } from './call.ts'
import { inProcess, restUntil } from './rest.ts'
import { checkAlive, type Walk } from './walk.ts'

/** A try that came to nothing. */
export interface Tried {
  /** Where the journal has it: the step's address, or that of one request of its handler. */
  readonly place: string
  /** How many there were. */
  readonly tries: number
  readonly failure: CallFailure
  /** Why nobody knows whether a try before it happened; null: none may have. */
  readonly doubt?: CallFailure | null
}

/**
 * Waits before the next try: a little in this process, more asleep in the store.
 * @returns false when there is to be none
 * @throws Sleeping, RunFailed `run_cancelled`, `run_timeout`
 */
export async function restBeforeTry(walk: Walk, rule: RetryRule, { place, tries, failure, doubt = null }: Tried): Promise<boolean> {
  const delay = nextDelay(rule, failure, tries, callKey(walk, place))
  if (delay === null) return false
  const at = walk.clock.now()
  if (delay > inProcess) {
    const why = doubt && { doubt: { code: doubt.code, message: doubt.message } }
    walk.journal.push({ kind: 'retried', address: place, tries, code: failure.code, until: at + delay, ...why, at })
  }
  await restUntil(walk, place, { until: at + delay, binding: doubt !== null })
  checkAlive(walk.signal)
  return true
}

/**
 * What an earlier life of the run has left to be waited for before the next try; nothing where its time has come.
 * @returns how many tries there were
 * @throws as `restBeforeTry`
 */
export async function restAsRecorded(walk: Walk, place: string): Promise<number> {
  const standing = walk.recorded.retry(place)
  if (!standing) return 0
  const until: Millis = standing.until
  if (until > walk.clock.now()) await restUntil(walk, place, { until, binding: standing.doubt !== undefined })
  return standing.tries
}

/** Whether an earlier life of the run has waited for the next try of a call, or has left what is to be waited for. */
export function hasWaited({ recorded, writes }: Pick<Walk, 'recorded' | 'writes'>, place: string): boolean {
  return recorded.retry(place)?.tries === writes.counted(place)
}

/** A write that is in doubt, or was, and is to be sent again. */
export interface Repeat {
  readonly place: string
  readonly delay: Millis
  /** Why nobody knows whether it happened; null: it is known by now that it did not. */
  readonly doubt: CallFailure | null
}

/**
 * Waits before a write is sent again, once for each try.
 * @throws Sleeping; while it is in doubt the run may not end before
 */
export async function restBeforeRepeat(walk: Walk, { place, delay, doubt }: Repeat): Promise<void> {
  if (hasWaited(walk, place)) return
  const at = walk.clock.now()
  const until = at + delay
  if (delay > inProcess) {
    const { code, message } = doubt ?? { code: 'write_in_doubt', message: '' }
    walk.journal.push({
      kind: 'retried',
      address: place,
      tries: walk.writes.counted(place),
      code,
      until,
      ...(doubt && { doubt: { code, message } }),
      at,
    })
  }
  await restUntil(walk, place, { until, binding: doubt !== null })
  checkAlive(walk.signal)
}

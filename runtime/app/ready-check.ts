import type { ReadyCheck } from '../api/index.ts'
import type { Clock, Millis } from '../domain/index.ts'
import { isTocsinError, messageOf } from '../errors/index.ts'

/** A part that takes longer than this does not answer. */
const patience: Millis = 5_000

/** Checks whether a part that this process needs answers in time. Never rejects. @param name of the part, public */
export function readyCheck(name: string, ping: () => Promise<void>, clock: Clock): Promise<ReadyCheck> {
  const { promise: late, resolve } = Promise.withResolvers<ReadyCheck>()
  const cancel = clock.after(patience, () => resolve({ name, ok: false, why: `There was no answer within ${patience / 1000} s.` }))
  const answer = ping().then(
    (): ReadyCheck => ({ name, ok: true }),
    (error: unknown): ReadyCheck => failed(name, error),
  )
  return Promise.race([answer, late]).finally(cancel)
}

function failed(name: string, error: unknown): ReadyCheck {
  const cause = messageOf(error instanceof Error && error.cause !== undefined ? error.cause : error)
  return { name, ok: false, cause, ...(isTocsinError(error) && error.code === 'store_unavailable' && { why: error.message }) }
}

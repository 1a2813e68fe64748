import type { Unchanged } from '../domain/index.ts'
import { nextDelay } from '../plugin/index.ts'
import { callKey, send, timeoutOf } from './call.ts'
import { type Doubt, fittingOutput, lostLife, resolveDoubt } from './doubt.ts'
import type { SkillOutcome } from './outcome.ts'
import { checkPaused, checkTurnedAway } from './paused.ts'
import type { Prepared } from './prepared.ts'
import { failureFrom } from './read.ts'
import { retryRule } from './retry.ts'
import { checkAlive, type Walk } from './walk.ts'

/**
 * A write, once. The intent is durable before anything is sent. A try that changed nothing may be repeated; one whose effect is
 * unknown only as its skill allows (`doubt.ts`). What remains unknown is put before a person, and is not repeated unless that person says so.
 */
export async function callWrite(walk: Walk, prepared: Prepared): Promise<SkillOutcome> {
  const { address, digest, connection } = prepared
  const rule = retryRule(prepared)
  let tries = walk.recorded.tries(address)
  const free = walk.recorded.turnedAway(address)
  const before = walk.recorded.doubtful(address)
  let doubt: Doubt | null = before
    ? { place: address, try: before.try, since: before.at, sendBy: before.sendBy, failure: lostLife, earlier: true }
    : null
  /** A try that may have happened, and that it was safe to repeat. */
  let open: Doubt | null = null

  for (;;) {
    if (doubt) {
      const resolved = await resolveDoubt(walk, prepared, doubt, tries - free < Math.max(rule.attempts, 2))
      if (resolved.kind === 'settled') return resolved.outcome
      if (resolved.kind === 'happened') return { ok: true, output: fittingOutput(prepared.skill, resolved.output), at: walk.clock.now() }
      open = resolved.open ? doubt : null
      if (resolved.absent) doubt = null
      if (doubt || !walk.cancel.standing) await walk.clock.sleep(rule.delay, walk.signal)
    }
    checkAlive(walk.signal)
    if (!doubt) {
      const given = givenUp(walk, address, tries - free)
      if (given) return given
    }
    const write = { place: address, connection, binding: doubt !== null }
    await checkPaused(walk, write)
    tries += 1
    const at = walk.clock.now()
    const sendBy = at + timeoutOf(prepared)
    await walk.journal.append({ kind: 'intent', address, try: tries, digest, connection: connection.id, revision: connection.revision, sendBy, at })
    if (!doubt && noteCancelled(walk, address, tries)) {
      const given = givenUp(walk, address, tries - 1 - free)
      if (given) return given
    }
    const result = await send(walk, prepared, sendBy)
    const ended = walk.clock.now()
    if (result.ok) return { ok: true, output: result.output, at: ended, ...changedAt(result.changed, tries) }
    if (result.effect === 'done') return { ok: false, effect: 'done', failure: failureFrom(result.failure, address), at: ended }
    if (result.effect === 'unknown') {
      doubt = { place: address, try: tries, since: at, sendBy, failure: result.failure, earlier: false }
      continue
    }
    await checkTurnedAway(walk, write, tries, result.failure)
    checkAlive(walk.signal)
    const delay = nextDelay(rule, result.failure, tries - free, callKey(walk, address))
    if (open) {
      // That this one changed nothing says nothing of the one before it.
      doubt = { ...open, try: tries, sendBy, earlier: false }
      if (delay !== null) await walk.clock.sleep(delay, walk.signal)
      continue
    }
    doubt = null
    walk.journal.ride({ kind: 'tried', address, try: tries, effect: result.effect, code: result.failure.code, at: ended })
    if (delay === null) return { ok: false, effect: result.effect, failure: failureFrom(result.failure, address), at: ended }
    await walk.clock.sleep(delay, walk.signal)
  }
}

/**
 * Of a write that is not sent, or not again, because somebody cancelled the run: null when nobody did. What had been tried is told in the case.
 * @throws RunFailed `run_cancelled` when it had not begun
 */
function givenUp({ cancel, clock }: Walk, address: string, tries: number): SkillOutcome | null {
  if (tries === 0) cancel.check()
  const failure = cancel.failureAt(address)
  return failure && { ok: false, effect: 'not_sent', failure, at: clock.now() }
}

/** Asked when the intent is in the log: a cancellation that stands there by now was before it, and it is not to be sent. Whether one does. */
export function noteCancelled({ journal, cancel, clock }: Walk, address: string, tries: number): boolean {
  if (!cancel.standing) return false
  journal.ride({ kind: 'tried', address, try: tries, effect: 'not_sent', code: 'run_cancelled', at: clock.now() })
  return true
}

/** What was so before may have become so by an earlier try. */
export function changedAt(changed: Unchanged | undefined, tries: number): { readonly changed?: Unchanged } {
  if (changed === undefined) return {}
  return { changed: tries > 1 ? 'perhaps' : changed }
}

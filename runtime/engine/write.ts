import { nextDelay } from '../plugin/index.ts'
import { callKey, send, timeoutOf } from './call.ts'
import { type Doubt, fittingOutput, lostLife, resolveDoubt } from './doubt.ts'
import type { SkillOutcome } from './outcome.ts'
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
  const before = walk.recorded.doubtful(address)
  let doubt: Doubt | null = before ? { place: address, try: before.try, since: before.at, sendBy: before.sendBy, failure: lostLife } : null

  for (;;) {
    if (doubt) {
      const resolved = await resolveDoubt(walk, prepared, doubt, tries < Math.max(rule.attempts, 2))
      if (resolved.kind === 'settled') return resolved.outcome
      if (resolved.kind === 'happened') return { ok: true, output: fittingOutput(prepared.skill, resolved.output), at: walk.clock.now() }
      await walk.clock.sleep(rule.delay, walk.signal)
    }
    checkAlive(walk.signal)
    tries += 1
    const at = walk.clock.now()
    const sendBy = at + timeoutOf(prepared)
    await walk.journal.append({ kind: 'intent', address, try: tries, digest, connection: connection.id, revision: connection.revision, sendBy, at })
    const result = await send(walk, prepared, sendBy)
    const ended = walk.clock.now()
    if (result.ok) return { ok: true, output: result.output, at: ended }
    if (result.effect === 'done') return { ok: false, effect: 'done', failure: failureFrom(result.failure, address), at: ended }
    if (result.effect === 'unknown') {
      doubt = { place: address, try: tries, since: at, sendBy, failure: result.failure }
      continue
    }
    doubt = null
    checkAlive(walk.signal)
    walk.journal.ride({ kind: 'tried', address, try: tries, effect: result.effect, code: result.failure.code, at: ended })
    const delay = nextDelay(rule, result.failure, tries, callKey(walk, address))
    if (delay === null) return { ok: false, effect: result.effect, failure: failureFrom(result.failure, address), at: ended }
    await walk.clock.sleep(delay, walk.signal)
  }
}

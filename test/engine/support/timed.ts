import type { SkillCall } from '../../../runtime/engine/call/skill-caller.ts'
import type { Answer, Bench } from './harness.ts'

interface Pending {
  readonly at: number
  readonly give: () => void
}

/** After this many turns of the event loop without a new call, the run only waits for answers. */
const quietTurns = 20

/**
 * Answers calls in the order of time: each call takes as long as `takes` says. The bench's clock moves forward with the
 * answers, and with the waits of the run.
 */
export function inTime({ clock }: Pick<Bench, 'clock'>, takes: (call: SkillCall) => number, answer: Answer): Answer {
  const pending: Pending[] = []
  let quiet = 0
  let turning = false
  const turn = (): void => {
    quiet += 1
    if (quiet < quietTurns) return void setImmediate(turn)
    const first = pending.reduce((one, other) => (other.at < one.at ? other : one))
    pending.splice(pending.indexOf(first), 1)
    clock.advance(Math.max(first.at - clock.now(), 0))
    first.give()
    turning = pending.length > 0
    quiet = 0
    if (turning) setImmediate(turn)
  }
  const passed = (delay: number): Promise<void> =>
    new Promise((resolve) => {
      pending.push({ at: clock.now() + delay, give: resolve })
      quiet = 0
      if (turning) return
      turning = true
      setImmediate(turn)
    })
  clock.sleep = passed
  return async (call, number) => {
    await passed(takes(call))
    return answer(call, number)
  }
}

import { timeOf } from '../../../expressions/index.ts'
import { parseDuration } from '../../../formats/index.ts'
import type { WaitStepDocument } from '../../grammar/index.ts'
import { mostPolls, type Wait, type WaitStep } from '../../plan.ts'
import type { Compilation } from '../compilation.ts'
import { compileSkill } from './skill.ts'
import type { StepAt } from './step-at.ts'

/** The journal keeps every answer of a poll, and is read as a whole when the run resumes. */
const pollsAtMost = 1_000

/** Compiles a step that waits for a time, or polls until a condition holds. Reports too many polls. */
export function compileWait(compilation: Compilation, at: StepAt<WaitStepDocument>): WaitStep {
  return { ...at.base, kind: 'wait', wait: waitOf(compilation, at) }
}

function waitOf(compilation: Compilation, { step, path, scope, base, list }: StepAt<WaitStepDocument>): Wait {
  const { wait } = step
  if ('poll' in wait) {
    const times = { every: parseDuration(wait.every), atMost: parseDuration(wait.at_most) }
    const { every, atMost } = times
    if (every < 1_000 || mostPolls(times) > pollsAtMost) {
      const most = `at most ${pollsAtMost} times, and at most once a second`
      compilation.fault('wait_polls_too_often', [...path, 'wait', 'every'], `this poll asks up to ${mostPolls(times)} times; allowed are ${most}`)
    }
    const polled = { ...wait.poll, id: base.id }
    const inner = { ...base, condition: null, onError: 'fail' as const }
    const poll = compileSkill(compilation, { step: polled, path: [...path, 'wait', 'poll'], scope, base: inner, list })
    const known = compilation.lookup.skill(poll.integration, poll.skill)
    if (known !== null && known.impact !== 'read') {
      compilation.fault(
        'wait_polls_a_write',
        [...path, 'wait', 'poll', 'skill'],
        `${wait.poll.skill} changes the system; a poll must call a skill that only reads`,
      )
    }
    const until = compilation.condition(wait.until, [...path, 'wait', 'until'], { ...scope, roots: [...scope.roots, 'output'] })
    return { kind: 'poll', poll, every, until, atMost }
  }
  if (!('until' in wait)) return { kind: 'for', duration: parseDuration(wait.for) }
  const time = compilation.value(wait.until, [...path, 'wait', 'until'], scope)
  if (time.constant && timeOf(wait.until) === undefined) {
    compilation.fault('wait_time_invalid', [...path, 'wait', 'until'], 'must be epoch milliseconds or an ISO 8601 time')
  }
  return { kind: 'until', time }
}

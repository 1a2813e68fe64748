import { isObject, type Json } from '../../../../domain/index.ts'
import { type StepNode, withNested } from '../../document/index.ts'
import { defineRule, type Report } from '../../rule.ts'
import { durationOf } from './duration-of.ts'

export const timeExceedsLimit = defineRule({
  codes: {
    time_exceeds_limit: {
      severity: 'warning',
      title: 'A step may take longer than the whole run',
      why: "The run would end with `run_timeout` before the step's own time is up.",
      wrong: 'limits: { time: 1m }\nsteps:\n  - id: issues\n    skill: mailsec.get_mailsec_issues\n    timeout: 5m',
      right: 'limits: { time: 10m }\nsteps:\n  - id: issues\n    skill: mailsec.get_mailsec_issues\n    timeout: 5m',
    },
  },
  check({ flow, root }, report) {
    const { limits } = root
    const written = isObject(limits) ? limits['time'] : undefined
    const time = durationOf(written)
    if (time === null) return
    for (const step of withNested(flow.steps)) checkTime(step, time, String(written), report)
  },
})

/** Checks each duration of a step. Waiting counts towards the time of the run. */
function checkTime({ value, path }: StepNode, limit: number, written: string, report: Report<'time_exceeds_limit'>): void {
  const wait = isObject(value['wait']) ? value['wait'] : {}
  const retry = isObject(value['retry']) ? value['retry'] : {}
  const places: readonly (readonly [readonly string[], Json | undefined])[] = [
    [['timeout'], value['timeout']],
    [['wait', 'for'], wait['for']],
    [['wait', 'at_most'], wait['at_most']],
    [['retry', 'delay'], retry['delay']],
    [['retry', 'max_delay'], retry['max_delay']],
  ]
  for (const [key, given] of places) {
    const duration = durationOf(given)
    if (duration !== null && duration > limit) {
      report.at('time_exceeds_limit', [...path, ...key], `${String(given)} is longer than the whole run may take (\`limits.time\`: ${written})`)
    }
  }
}

import { isObject } from '../../../../domain/index.ts'
import { withNested } from '../../document/index.ts'
import type { Rule } from '../../rule.ts'
import { durationOf } from './limits.ts'

/** Polls that ask once only. */
export const polling: Rule = {
  codes: ['wait_polls_once'],
  check({ flow }, report) {
    for (const { value, path } of withNested(flow.steps)) {
      const wait = isObject(value['wait']) ? value['wait'] : {}
      const every = durationOf(wait['every'])
      const atMost = durationOf(wait['at_most'])
      if (wait['poll'] === undefined || every === null || atMost === null || every < atMost) continue
      const next = `the next time, after ${String(wait['every'])}, is not before \`at_most\` (${String(wait['at_most'])})`
      report.at('wait_polls_once', [...path, 'wait', 'every'], `this asks once only: ${next}`)
    }
  },
}

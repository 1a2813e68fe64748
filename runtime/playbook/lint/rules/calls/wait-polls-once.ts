import { isObject } from '../../../../domain/index.ts'
import { withNested } from '../../document/index.ts'
import { defineRule } from '../../rule.ts'
import { durationOf } from './duration-of.ts'

export const waitPollsOnce = defineRule({
  codes: {
    wait_polls_once: {
      severity: 'warning',
      title: 'The poll asks only once',
      why: '`every` is not shorter than `at_most`, so the time is up before the second call.',
      wrong:
        '- id: gone\n  wait: { poll: { skill: mfa.get_mfa_user_details, with: { username: ada } }, every: 1h, until: { "==": [{ var: output.errorId }, 200] }, at_most: 10m }',
      right:
        '- id: gone\n  wait: { poll: { skill: mfa.get_mfa_user_details, with: { username: ada } }, every: 1m, until: { "==": [{ var: output.errorId }, 200] }, at_most: 10m }',
    },
  },
  check({ flow }, report) {
    for (const { value, path } of withNested(flow.steps)) {
      const wait = isObject(value['wait']) ? value['wait'] : {}
      const every = durationOf(wait['every'])
      const atMost = durationOf(wait['at_most'])
      if (wait['poll'] === undefined || every === null || atMost === null || every < atMost) continue
      const next = `the second call, after ${String(wait['every'])}, would not come before \`at_most\` (${String(wait['at_most'])})`
      report.at('wait_polls_once', [...path, 'wait', 'every'], `this poll asks only once: ${next}`)
    }
  },
})

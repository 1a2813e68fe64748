import { isObject } from '../../../../domain/index.ts'
import { withNested } from '../../document/index.ts'
import { defineRule } from '../../rule.ts'

export const retryOnce = defineRule({
  codes: {
    retry_once: {
      severity: 'warning',
      title: 'A retry has only one attempt',
      why: 'The first try counts as an attempt, so nothing is retried.',
      wrong: '- id: issues\n  skill: mailsec.get_mailsec_issues\n  retry: { attempts: 1 }',
      right: '- id: issues\n  skill: mailsec.get_mailsec_issues\n  retry: { attempts: 3 }',
    },
  },
  check({ flow }, report) {
    for (const { value, path } of withNested(flow.steps)) {
      const { retry } = value
      if (!isObject(retry) || retry['attempts'] !== 1) continue
      report.at('retry_once', [...path, 'retry', 'attempts'], 'one attempt is no retry: the first try counts')
    }
  },
})

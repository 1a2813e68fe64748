import { expect, test } from 'vitest'
import { findingsIn, messagesIn } from '../../testing.ts'

const loop = (most: number): string => `
  - id: each
    foreach: '{{ alert.content.users }}'
    max_items: ${most}
    steps:
      - id: out
        skill: mfa.suspend_user
        with: { username: '{{ item }}' }
`
const above = (budget: string): string => `limits:\n  impact: ${budget}\n`

test('reports a run that may exceed its budget, at the number that it exceeds', () => {
  expect(findingsIn(loop(3), above('{ high: 2, write: 0, targets: 3 }'))).toContain('5:19 impact_over_budget')
  expect(messagesIn(loop(3), above('{ high: 2 }'))).toContain('a run may make up to 3 high-impact calls, and the budget is 2')
})

test('reports nothing if the run stays within the budget, or has none', () => {
  for (const budget of ['{ high: 3, targets: 3 }', '{}', '{ write: 0 }']) {
    expect(findingsIn(loop(3), above(budget)).filter((finding) => finding.includes('impact_over_budget'))).toEqual([])
  }
})

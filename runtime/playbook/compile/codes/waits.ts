import type { FindingEntry } from '../../findings/index.ts'

/** Steps that wait for a time, or for people. */
export const waits = {
  wait_time_invalid: {
    severity: 'error',
    title: 'What is waited for is no time',
    why: 'The step would fail in every run: `until` is epoch milliseconds, an ISO 8601 time, or one `{{ … }}` that gives one. A span is `for`.',
    wrong: '- id: cool\n  wait: { until: tomorrow }',
    right: '- id: cool\n  wait: { until: "2030-01-01T08:00:00Z" }',
  },
  wait_polls_a_write: {
    severity: 'error',
    title: 'A skill that changes something is polled',
    why: 'A poll repeats its call until the answer fits; a write happens once.',
    wrong:
      '- id: gone\n  wait: { poll: { skill: mfa.suspend_mfa_user, with: { username: ada } }, every: 1m, until: { "==": [{ var: output.errorId }, 200] }, at_most: 1h }',
    right:
      '- id: gone\n  wait: { poll: { skill: mfa.get_mfa_user_details, with: { username: ada } }, every: 1m, until: { "==": [{ var: output.errorId }, 200] }, at_most: 1h }',
  },
  wait_polls_too_often: {
    severity: 'error',
    title: 'The poll asks too often',
    why: 'Every answer is kept in the journal of the run: 1000 at most, and one a second.',
    wrong:
      '- id: gone\n  wait: { poll: { skill: mfa.get_mfa_user_details, with: { username: ada } }, every: 5s, until: { "==": [{ var: output.errorId }, 200] }, at_most: 2d }',
    right:
      '- id: gone\n  wait: { poll: { skill: mfa.get_mfa_user_details, with: { username: ada } }, every: 5m, until: { "==": [{ var: output.errorId }, 200] }, at_most: 2d }',
  },
  approval_covers_no_write: {
    severity: 'error',
    title: 'The approval covers what needs none',
    why: 'People approve calls that change something. Nothing else is held back by an approval.',
    wrong: '- id: ask\n  approve: { title: "Go on?", covers: say }\n- id: say\n  case: { note: approved }',
    right:
      '- id: ask\n  approve: { title: "Suspend ada?", covers: suspend }\n- id: suspend\n  skill: mfa.suspend_mfa_user\n  with: { username: ada }',
  },
  approval_covers_elsewhere: {
    severity: 'error',
    title: 'The step does not come after its approval',
    why: 'A covered step runs only with its approval. One that comes before it, in another branch, or in another loop would never have it.',
    wrong:
      '- id: suspend\n  skill: mfa.suspend_mfa_user\n  with: { username: ada }\n- id: ask\n  approve: { title: "Suspend ada?", covers: suspend }',
    right:
      '- id: ask\n  approve: { title: "Suspend ada?", covers: suspend }\n- id: suspend\n  skill: mfa.suspend_mfa_user\n  with: { username: ada }',
  },
  approval_covers_unknown_yet: {
    severity: 'error',
    title: 'What is to be approved is not known yet',
    why: 'People are shown the call as it will be sent, and it must be the same when it is. What a later step finds out or sets cannot be part of it.',
    wrong:
      '- id: ask\n  approve: { title: "Suspend?", covers: suspend }\n- id: facts\n  set: { name: ada }\n- id: suspend\n  skill: mfa.suspend_mfa_user\n  with: { username: "{{ vars.name }}" }',
    right:
      '- id: facts\n  set: { name: ada }\n- id: ask\n  approve: { title: "Suspend?", covers: suspend }\n- id: suspend\n  skill: mfa.suspend_mfa_user\n  with: { username: "{{ vars.name }}" }',
  },
} as const satisfies Record<string, FindingEntry>

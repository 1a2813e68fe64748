import type { FindingEntry } from '../../findings/index.ts'

/** Codes about steps that wait for a time or for people. */
export const waits = {
  wait_time_invalid: {
    severity: 'error',
    title: '`until` is not a time',
    why: 'The step would fail in every run. `until` takes epoch milliseconds, an ISO 8601 time, or one `{{ … }}` that returns a time. For a duration, use `for`.',
    wrong: '- id: cool\n  wait: { until: tomorrow }',
    right: '- id: cool\n  wait: { until: "2030-01-01T08:00:00Z" }',
  },
  wait_polls_a_write: {
    severity: 'error',
    title: 'A poll calls a skill that changes something',
    why: 'A poll repeats its call until the answer fits. A write must happen only once.',
    wrong:
      '- id: gone\n  wait: { poll: { skill: mfa.suspend_mfa_user, with: { username: ada } }, every: 1m, until: { "==": [{ var: output.errorId }, 200] }, at_most: 1h }',
    right:
      '- id: gone\n  wait: { poll: { skill: mfa.get_mfa_user_details, with: { username: ada } }, every: 1m, until: { "==": [{ var: output.errorId }, 200] }, at_most: 1h }',
  },
  wait_polls_too_often: {
    severity: 'error',
    title: 'The poll is too frequent',
    why: 'The journal of the run keeps every answer. A poll makes at most 1,000 calls, and at most one a second.',
    wrong:
      '- id: gone\n  wait: { poll: { skill: mfa.get_mfa_user_details, with: { username: ada } }, every: 5s, until: { "==": [{ var: output.errorId }, 200] }, at_most: 2d }',
    right:
      '- id: gone\n  wait: { poll: { skill: mfa.get_mfa_user_details, with: { username: ada } }, every: 5m, until: { "==": [{ var: output.errorId }, 200] }, at_most: 2d }',
  },
  approval_covers_no_write: {
    severity: 'error',
    title: 'The approval covers a step that needs none',
    why: 'People approve calls that change something. An approval holds back no other step.',
    wrong: '- id: ask\n  approve: { title: "Go on?", covers: say }\n- id: say\n  case: { note: approved }',
    right:
      '- id: ask\n  approve: { title: "Suspend ada?", covers: suspend }\n- id: suspend\n  skill: mfa.suspend_mfa_user\n  with: { username: ada }',
  },
  approval_covers_elsewhere: {
    severity: 'error',
    title: 'The step does not come after its approval',
    why: 'A covered step runs only with its approval. A step before the approval, in another branch or in another loop would never have it.',
    wrong:
      '- id: suspend\n  skill: mfa.suspend_mfa_user\n  with: { username: ada }\n- id: ask\n  approve: { title: "Suspend ada?", covers: suspend }',
    right:
      '- id: ask\n  approve: { title: "Suspend ada?", covers: suspend }\n- id: suspend\n  skill: mfa.suspend_mfa_user\n  with: { username: ada }',
  },
  approval_covers_unknown_yet: {
    severity: 'error',
    title: 'The covered call is not known when the approval is asked for',
    why: 'People approve the call exactly as it will be sent. It cannot contain what a later step finds or sets.',
    wrong:
      '- id: ask\n  approve: { title: "Suspend?", covers: suspend }\n- id: facts\n  set: { name: ada }\n- id: suspend\n  skill: mfa.suspend_mfa_user\n  with: { username: "{{ vars.name }}" }',
    right:
      '- id: facts\n  set: { name: ada }\n- id: ask\n  approve: { title: "Suspend?", covers: suspend }\n- id: suspend\n  skill: mfa.suspend_mfa_user\n  with: { username: "{{ vars.name }}" }',
  },
} as const satisfies Record<string, FindingEntry>

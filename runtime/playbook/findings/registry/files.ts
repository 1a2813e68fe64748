import type { FindingEntry } from '../entry.ts'

/** What is wrong with a file beside the others that are looked at with it. */
export const files = {
  alert_type_taken: {
    severity: 'error',
    title: 'Another file is the playbook of this alert type',
    why: 'One playbook is active for an alert type; of two files the second would be refused. The files that are linted together are compared.',
    wrong: 'alert_type: taken',
    right: 'alert_type: free',
  },
  alert_type_repeated: {
    severity: 'warning',
    title: 'An alert type is listed twice',
    why: 'Alert types are compared without regard to case and to spaces around them, so that the second says nothing.',
    wrong: 'alert_type: [mfa_fatigue, MFA_Fatigue]',
    right: 'alert_type: [mfa_fatigue, mfa_push_bombing]',
  },
  playbook_name_taken: {
    severity: 'error',
    title: 'Another file has a playbook of this name',
    why: 'Runs, cases and tests name a playbook by its name; with two of one name nobody can tell which is meant.',
    wrong: 'playbook: taken',
    right: 'playbook: example',
  },
} as const satisfies Record<string, FindingEntry>

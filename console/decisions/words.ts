import type { DecisionView } from '../../runtime/api/index.ts'

export type Kind = DecisionView['kind']
export type Verdict = DecisionView['verdicts'][number]

/** Each kind as people name it, and what it asks them. */
export const kinds: Readonly<Record<Kind, { readonly name: string; readonly asks: string }>> = {
  approval: { name: 'Approval', asks: 'May this be sent? Nothing has been sent yet.' },
  in_doubt: { name: 'In doubt', asks: 'This was sent, and nobody knows whether it happened. Look at the external system first.' },
  quota: { name: 'Quota', asks: 'The quota of this skill is full. May this one call be sent all the same? Nothing has been sent yet.' },
}

/** What a verdict is called on its button, and what follows from it. */
export const verdictWords: Readonly<Record<Verdict, { readonly name: string; readonly means: string; readonly risky: boolean }>> = {
  approve: { name: 'Approve', means: 'It is sent, as it stands here.', risky: true },
  decline: { name: 'Decline', means: 'It is not sent. The step fails, and the playbook may go another way.', risky: false },
  happened: { name: 'It happened', means: 'The run goes on as if the system had answered.', risky: false },
  repeat: {
    name: 'It did not happen: send it again',
    means: 'The call is sent once more. If it did happen after all, it happens twice.',
    risky: true,
  },
  give_up: {
    name: 'Give up',
    means: 'Nothing more is sent of it. The step fails, and the playbook may go another way; the case says that the write is in doubt.',
    risky: false,
  },
}

/** What became of a decision. */
export const states: Readonly<Record<DecisionView['state'], string>> = {
  open: 'Open',
  approved: 'Approved',
  declined: 'Declined',
  settled: 'Settled',
  expired: 'Expired: nobody answered in time',
  withdrawn: 'Withdrawn: its run ended without it',
}

/** Who may answer, in words. */
export function whoMayAnswer({ by, approvers }: Pick<DecisionView, 'by' | 'approvers'>): string {
  const who = by.length === 0 || by.includes('approver') ? 'whoever may answer decisions' : by.join(', ')
  return approvers > 1 ? `${who}; ${approvers} different people must approve` : who
}

import type { DecisionView } from '../../runtime/api/index.ts'

export type Kind = DecisionView['kind']
export type Verdict = DecisionView['verdicts'][number]

/** The name of each kind, and its question to people. */
export const kinds: Readonly<Record<Kind, { readonly name: string; readonly colour: string; readonly asks: string }>> = {
  approval: { name: 'Approval', colour: 'harbour', asks: 'May this be sent? Nothing has been sent yet.' },
  in_doubt: { name: 'In doubt', colour: 'red', asks: 'This was sent, and nobody knows whether it happened. Check in the external system first.' },
  quota: { name: 'Quota', colour: 'yellow', asks: 'The quota of this skill is full. May this one call be sent anyway? Nothing has been sent yet.' },
}

/** The button text of each verdict, and its effect. */
export const verdictWords: Readonly<Record<Verdict, { readonly name: string; readonly means: string; readonly risky: boolean }>> = {
  approve: { name: 'Approve', means: 'The call is sent exactly as shown here.', risky: true },
  decline: { name: 'Decline', means: 'The call is not sent. The step fails, and the playbook may handle that.', risky: false },
  happened: { name: 'It happened', means: 'The run continues as if the system had answered.', risky: false },
  repeat: {
    name: 'It did not happen: send it again',
    means: 'The call is sent once more. If the first one took effect after all, the change is made twice.',
    risky: true,
  },
  give_up: {
    name: 'Give up',
    means: 'The call is not sent again. The step fails, and the playbook may handle that. The case shows the write as in doubt.',
    risky: false,
  },
}

/** The verdicts that this key may choose. */
export function choosable({ verdicts, cannot_approve }: Pick<DecisionView, 'verdicts' | 'cannot_approve'>): readonly Verdict[] {
  return cannot_approve === null ? verdicts : verdicts.filter((verdict) => verdict !== 'approve')
}

/** Why a key may only decline. */
export const onlyDecline: Readonly<Record<NonNullable<DecisionView['cannot_approve']>, string>> = {
  one_person:
    'You cannot approve this: your key and that of an earlier approver count as one person, because one of them made the other. Somebody else must approve. You can decline.',
  key_newer:
    'You cannot approve this: it needs several people, and your key is newer than the question. Somebody whose key is older must approve. You can decline.',
  key_chain:
    'You cannot approve this: it needs several people, and too many keys made one another before yours. Somebody else must approve. You can decline.',
}

/** The text for each state of a decision. */
export const states: Readonly<Record<DecisionView['state'], string>> = {
  open: 'Open',
  approved: 'Approved',
  declined: 'Declined',
  settled: 'Settled',
  expired: 'Expired: nobody answered in time',
  withdrawn: 'Withdrawn: the run ended before an answer',
}

/** Whether a decision names nobody in particular. */
export function anybody(by: DecisionView['by']): boolean {
  return by.length === 0 || by.includes('approver')
}

/** Says in words who may answer. */
export function whoMayAnswer({ by, approvers }: Pick<DecisionView, 'by' | 'approvers'>): string {
  const who = anybody(by) ? 'anybody who may answer decisions' : by.join(', ')
  return approvers > 1 ? `${who}; ${approvers} different people must approve` : who
}

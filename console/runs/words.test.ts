import { expect, test } from 'vitest'
import type { RunStepView } from '../../runtime/api/index.ts'
import { becauseOf } from './words.ts'

const step = { address: 'suspend', kind: 'skill', state: 'waiting', why: [], decisions: [], attempts: [], error: null }
const asked = { id: 'd', kind: 'approval' as const, title: 'Suspend Ada?', asked_at: 0, closed_at: null, answers: [] }
const tried = { request: null, number: 1, at: 0, effect: 'not_sent', code: 'rate_limited' } as const

test.each<[string, Partial<RunStepView>, readonly string[]]>([
  ['a call that met a rate limit', { attempts: [tried] }, ['it is sent again: the last try ended with rate_limited']],
  ['a call that is being sent again', { state: 'under_way', attempts: [tried] }, ['it is sent again: the last try ended with rate_limited']],
  ['a call that waits for its turn', {}, ['it is sent later']],
  ['a call that is being sent', { state: 'under_way' }, []],
  ['an open decision', { decisions: [{ ...asked, state: 'open' }] }, ['it waits for an answer: “Suspend Ada?”']],
  ['a decision that nobody answered', { decisions: [{ ...asked, state: 'expired' }] }, ['nobody answered in time: “Suspend Ada?”']],
  [
    'a declined decision',
    { decisions: [{ ...asked, state: 'declined', answers: [{ by: 'ada', verdict: 'decline', reason: 'A drill', at: 1 }] }] },
    ['ada answered: decline (A drill)'],
  ],
])('says why %s did not change anything yet', (_name, part, lines) => {
  expect(becauseOf({ ...step, ...part } as RunStepView)).toEqual(lines)
})

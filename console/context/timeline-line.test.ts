import { expect, test } from 'vitest'
import type { TimelineEntryView } from '../../runtime/api/index.ts'
import { lineOf } from './timeline-line.ts'

const base = { id: '1', at: 0, actor: {} }

test.each<[Omit<TimelineEntryView, keyof typeof base>, string]>([
  [{ kind: 'note', text: 'Looked at it' }, 'Looked at it'],
  [{ kind: 'finding', risk: 'high', title: 'Token used from two countries' }, '[high] Token used from two countries'],
  [{ kind: 'lookups', calls: [{ skill: 'mfa.get_user', connection: 'mfa', times: 3, failed: 1 }] }, 'mfa.get_user × 3 (1 failed) via mfa'],
  [{ kind: 'action', skill: 'mfa.suspend', target: 'ada', connection: 'mfa', outcome: 'done' }, 'mfa.suspend on ada via mfa: done'],
  [{ kind: 'action', skill: 'mfa.suspend', target: null, connection: 'mfa', outcome: 'done' }, 'mfa.suspend via mfa: done'],
  [{ kind: 'protected', skill: 'mfa.suspend', target: 'root', connection: 'mfa', text: 'Break-glass' }, 'root from mfa.suspend via mfa: Break-glass'],
  [{ kind: 'decision', title: 'Suspend?', state: 'approved', by: ['ada', 'grace'], text: 'Seen' }, 'Suspend? approved by ada, grace: Seen'],
  [{ kind: 'decision', title: 'Suspend?', state: 'open', by: [] }, 'Suspend? open'],
  [{ kind: 'cancelled', by: ['ada'], text: 'A drill' }, 'by ada: A drill'],
  [{ kind: 'failure', code: 'network', text: 'no route' }, 'network: no route'],
  [{ kind: 'undo', undoes: 'x-r1', text: 'A drill.' }, ' requested to undo attempt 1: A drill.'],
  [{ kind: 'undone', undoes: 'x-r2', by: ['ada'], text: 'All is undone.' }, 'attempt 2, requested by ada: All is undone.'],
  [{ kind: 'change', change: { severity: 'high' } }, '{"severity":"high"}'],
])('%j reads %s', (entry, line) => {
  expect(lineOf({ ...base, ...entry })).toBe(line)
})

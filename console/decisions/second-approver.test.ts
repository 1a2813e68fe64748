import { expect, test } from 'vitest'
import type { KeyView } from '../../runtime/api/index.ts'
import { deadEndOf } from './second-approver.ts'

const asked = { by: [], approvers: 2, answers: [], asked_at: 100, organization_code: 'ACME' }
const answerOf = (principal_uuid: string) => ({ principal_uuid, by: '', verdict: 'approve', reason: null, output: null, at: 0 }) as const

/** A key with this name as its principal. */
function key(name: string, created_by: string | null, over: Partial<KeyView> = {}): KeyView {
  const rights = { scopes: ['decisions:answer'], organizations: 'all' } as const
  const times = { created_at: 0, revoked_at: null, expires_at: null, expired: false, last_used_at: null }
  return { id: name, name, principal_uuid: name, created_by, created_by_name: created_by, ...rights, ...times, ...over } as KeyView
}
const [admin, ann, bob] = [key('admin', null, { scopes: ['admin'] }), key('ann', 'admin'), key('bob', 'admin')]

test('the maker of all others would leave nobody, so they approve instead', () => {
  expect(deadEndOf(asked, 'admin', [admin, ann, bob])).toEqual({ instead: ['ann', 'bob'] })
  expect(deadEndOf(asked, 'ann', [admin, ann, bob])).toBeNull()
  expect(deadEndOf(asked, 'admin', [admin, ann, bob, key('cleo', null)])).toBeNull()
})

test('without enough people nobody is named', () => {
  expect(deadEndOf(asked, 'admin', [admin, ann])).toEqual({ instead: null })
  expect(deadEndOf(asked, 'ann', [admin, ann])).toEqual({ instead: null })
  // Of a chain only one counts.
  expect(deadEndOf(asked, 'admin', [admin, ann, key('x', 'ann'), key('y', 'x')])).toEqual({ instead: null })
})

test('makers count through keys that are revoked', () => {
  const middle = key('middle', 'admin', { revoked_at: 5 })
  expect(deadEndOf(asked, 'admin', [admin, middle, key('deep', 'middle')])).toEqual({ instead: null })
})

test.each([{ revoked_at: 5 }, { expired: true }, { created_at: 101 }, { scopes: ['decisions:read'] }, { organizations: ['LUMEN'] }])(
  'a key with %j cannot be the second',
  (over) => {
    expect(deadEndOf(asked, 'ann', [admin, ann, key('bob', 'admin', over as Partial<KeyView>)])).toEqual({ instead: null })
  },
)

test('only those count whom the decision names', () => {
  expect(deadEndOf({ ...asked, by: ['ann', 'carl'] }, 'ann', [admin, ann, bob])).toEqual({ instead: null })
  expect(deadEndOf({ ...asked, by: ['bob', 'ann'] }, 'ann', [admin, ann, bob])).toBeNull()
  expect(deadEndOf({ ...asked, by: ['approver'] }, 'ann', [admin, ann, bob])).toBeNull()
  expect(deadEndOf({ ...asked, by: ['decisions:answer'] }, 'ann', [admin, ann, bob])).toBeNull()
})

test('the last of several approvers leaves nothing to do', () => {
  expect(deadEndOf({ ...asked, answers: [answerOf('ann')] }, 'bob', [admin, ann, bob])).toBeNull()
  expect(deadEndOf({ ...asked, approvers: 3, answers: [answerOf('ann')] }, 'bob', [admin, ann, bob])).toEqual({ instead: null })
})

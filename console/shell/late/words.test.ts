import { expect, test } from 'vitest'
import { changeOf, lostSecret } from './words.ts'

test('a change is named by what it changes', () => {
  expect(changeOf('/platformapi/cases/ACME-42/comments')).toBe('Your change of case ACME-42')
  expect(changeOf('/platformapi/alerts')).toBe('Your new alert')
  expect(changeOf('/platformapi/alerts/a%20b/retry')).toBe('Your change of alert a b')
  expect(changeOf('/platformapi/decisions/5')).toBe('Your answer to a decision')
  expect(changeOf('/platformapi/connections/5/skills/edr.isolate')).toBe('Your call of a skill')
  expect(changeOf('/platformapi/pauses/5?reason=over')).toBe('Your change of a pause')
  expect(changeOf('/platformapi/new-thing')).toBe('Your change')
  expect(changeOf('/console/sign-out')).toBe('Your sign-out')
})

test('only an answer with a secret can lose one', () => {
  expect(lostSecret('/platformapi/keys')).toContain('make another one')
  expect(lostSecret('/platformapi/webhooks/5/secret')).not.toBeNull()
  expect(lostSecret('/platformapi/keys/5')).toBeNull()
  expect(lostSecret('/platformapi/cases/ACME-1')).toBeNull()
})

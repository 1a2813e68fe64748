import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { documentedVerify } from '../support/documented-verify.ts'

/** The code in docs/guides/webhooks.md that receivers check signatures with. */
const verify = await documentedVerify()
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const body = '{"test": 2432232314}'
const at = 1_614_265_330
const headers = (parts: object = {}) => ({
  'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
  'webhook-timestamp': `${at}`,
  'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  ...parts,
})
const now = at * 1_000

test('accepts what was signed with the secret, also among other signatures', () => {
  expect(verify(secret, headers(), body, now)).toBe(true)
  const several = `v1a,xyz v1,AAAA v1,${createHmac('sha256', 'other').update('x').digest('base64')} ${headers()['webhook-signature']}`
  expect(verify(secret, headers({ 'webhook-signature': several }), body, now)).toBe(true)
})

test.each([
  ['another body', headers(), `${body} `, now],
  ['another id', headers({ 'webhook-id': 'msg_other' }), body, now],
  ['another time', headers({ 'webhook-timestamp': `${at + 1}` }), body, now],
  ['no signature', headers({ 'webhook-signature': undefined }), body, now],
  ['no time', headers({ 'webhook-timestamp': undefined }), body, now],
  ['a replay', headers(), body, now + 301_000],
] as const)('refuses %s', (_name, given, text, when) => {
  expect(verify(secret, given, text, when)).toBe(false)
})

test('refuses what was signed with another secret', () => {
  expect(verify('whsec_AAAA', headers(), body, now)).toBe(false)
})

import { expect, test } from 'vitest'
import { causeOf, tlsFaultIn } from './causes.ts'
import { describe } from './exchange.ts'

test.each([
  ['ENOTFOUND', 'host name'],
  ['EAI_AGAIN', 'host name'],
  ['ECONNREFUSED', 'listens'],
  ['UND_ERR_CONNECT_TIMEOUT', 'firewall'],
  ['ECONNRESET', 'cut'],
  ['UND_ERR_HEADERS_OVERFLOW', 'headers of the answer'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'another host'],
  ['CERT_HAS_EXPIRED', 'not valid now'],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'No trusted CA'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'No trusted CA'],
  ['ERR_SSL_WRONG_VERSION_NUMBER', 'TLS failed'],
])('%s: %s', (code, words) => {
  expect(causeOf(code)).toContain(words)
})

test('an unknown code has no cause', () => {
  expect(causeOf('UND_ERR_ABORTED')).toBeNull()
})

test('an untrusted certificate is described without what Node advises', () => {
  const message = 'self-signed certificate; if the root CA is installed locally, try running Node.js with --use-system-ca'
  expect(describe(Object.assign(new Error(message), { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' }))).toMatch(
    /TOCSIN_CA_FILE adds a CA: self-signed certificate \(DEPTH_ZERO_SELF_SIGNED_CERT\)$/,
  )
})

test.each([
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'The certificate is for another host name'],
  ['CERT_HAS_EXPIRED', 'The certificate is not valid now'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'No trusted CA has signed the certificate'],
  ['EPROTO', 'TLS failed'],
  ['ECONNREFUSED', null],
  ['ENOTFOUND', null],
  ['UND_ERR_ABORTED', null],
])('names the TLS fault in the message of %s, without the host', (code, fault) => {
  expect(tlsFaultIn(describe(Object.assign(new Error('host.internal:443'), { code })))).toBe(fault)
})

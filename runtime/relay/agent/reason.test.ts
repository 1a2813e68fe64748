import { expect, test } from 'vitest'
import { reasonOf } from './reason.ts'

const failed = (code: string, message: string): Error => Object.assign(new Error(message), { code })

test.each([
  [
    failed(
      'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
      'unable to verify the first certificate; if the root CA is installed locally, try running Node.js with --use-system-ca',
    ),
    'No trusted CA has signed the certificate of the platform, or of a proxy that inspects TLS: --ca adds a CA: unable to verify the first certificate (UNABLE_TO_VERIFY_LEAF_SIGNATURE)',
  ],
  [
    failed('ERR_TLS_CERT_ALTNAME_INVALID', 'Host: vm. is not in the list'),
    'The certificate is for another host name than that of --url: Host: vm. is not in the list (ERR_TLS_CERT_ALTNAME_INVALID)',
  ],
  [
    failed('CERT_HAS_EXPIRED', 'certificate has expired'),
    'The certificate is not valid now, by the clock of this machine: certificate has expired (CERT_HAS_EXPIRED)',
  ],
  [failed('EPROTO', 'wrong version\nnumber\n'), 'The other side does not speak TLS: check --url: wrong version number (EPROTO)'],
  [failed('ECONNREFUSED', 'connect ECONNREFUSED 127.0.0.1:1'), 'connect ECONNREFUSED 127.0.0.1:1'],
  [new Error('This agent was revoked.'), 'This agent was revoked.'],
  ['thrown', 'thrown'],
])('%s', (error, reason) => {
  expect(reasonOf(error)).toBe(reason)
})

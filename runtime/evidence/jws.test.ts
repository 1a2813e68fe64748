import { expect, test } from 'vitest'
import { createEvidenceSigner, createVault } from '../connection/index.ts'
import { keyOf, type SignedEvidence, signEvidence, verifyEvidence } from './jws.ts'

const signer = createEvidenceSigner(createVault(Buffer.alloc(32, 1)))
const document = { format: 1, note: 'größer, 🙂' }
const signed = (): Promise<SignedEvidence> => signEvidence(signer, JSON.stringify(document))
const encoded = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')
const decoded = (text: string): Record<string, unknown> => JSON.parse(Buffer.from(text, 'base64url').toString())

test('the id of a key is its thumbprint, as RFC 8037 has it in appendix A.3', () => {
  expect(keyOf('11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo').kid).toBe('kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k')
})

test('what was signed is read back, with the key that signed it', async () => {
  expect(verifyEvidence(await signed())).toEqual({ keyId: keyOf(signer.publicKey).kid, document })
})

test('the same vault key makes the same signer, and another one another', () => {
  expect(createEvidenceSigner(createVault(Buffer.alloc(32, 1))).publicKey).toBe(signer.publicKey)
  expect(createEvidenceSigner(createVault(Buffer.alloc(32, 2))).publicKey).not.toBe(signer.publicKey)
  // A vault that only reads with the old key signs with the new one.
  expect(createEvidenceSigner(createVault(Buffer.alloc(32, 2), [Buffer.alloc(32, 1)])).publicKey).not.toBe(signer.publicKey)
})

test('each changed part is refused', async () => {
  const good = await signed()
  const header = decoded(good.protected)
  const stranger = keyOf(createEvidenceSigner(createVault(Buffer.alloc(32, 2))).publicKey)
  const jwk = header['jwk'] as { x: string }
  const changed: Record<string, unknown> = {
    'another content': { ...good, payload: encoded({ ...document, note: 'other' }) },
    'one more space': { ...good, payload: Buffer.from(`${JSON.stringify(document)} `).toString('base64url') },
    'another algorithm': { ...good, protected: encoded({ ...header, alg: 'none' }) },
    'another type': { ...good, protected: encoded({ ...header, typ: 'JWT' }) },
    'a critical extension': { ...good, protected: encoded({ ...header, crit: ['b64'], b64: false }) },
    'the id of another key': { ...good, protected: encoded({ ...header, kid: stranger.kid }) },
    'another key under the same id': { ...good, protected: encoded({ ...header, jwk: { ...jwk, x: stranger.x } }) },
    'another key': { ...good, protected: encoded({ ...header, kid: stranger.kid, jwk: { ...jwk, x: stranger.x } }) },
    'a key of another length': { ...good, protected: encoded({ ...header, kid: keyOf('AAAA').kid, jwk: { ...jwk, x: 'AAAA' } }) },
    'no signature': { ...good, signature: '' },
    'half a signature': { ...good, signature: good.signature.slice(0, 40) },
    'a missing part': { protected: good.protected, payload: good.payload },
    'a header that is no JSON': { ...good, protected: 'AAAA' },
    'a header that is a list': { ...good, protected: encoded([]) },
    'no object': 'evidence',
    nothing: null,
  }
  for (const [what, given] of Object.entries(changed))
    expect(() => verifyEvidence(given), what).toThrow(expect.objectContaining({ code: 'evidence_invalid' }))
})

test('evidence that somebody else signed is valid, under the id of their key', async () => {
  const stranger = createEvidenceSigner(createVault(Buffer.alloc(32, 2)))
  const theirs = await signEvidence(stranger, JSON.stringify(document))
  expect(verifyEvidence(theirs).keyId).toBe(keyOf(stranger.publicKey).kid)
})

import { expect, test } from 'vitest'
import { systemIds } from '../../config/seams.ts'
import { asId, type WebhookId } from '../../domain/index.ts'
import { createVault } from './vault.ts'
import { createWebhookSigner } from './webhook-signer.ts'

const vault = createVault(Buffer.alloc(32, 1))
const id = asId<WebhookId>('w')
const signer = createWebhookSigner(vault, systemIds)
const seal = (value: string) => vault.seal(id, 'signing_secret', value)
const message = { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', timestamp: 1_614_265_330, body: '{"test": 2432232314}' }

test('the example from the Standard Webhooks libraries has its signature', () => {
  const webhook = { id, secret: seal('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'), previous: null }
  expect(signer.sign(webhook, message, 0)).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=')
})

test('a new secret is whsec_ and 32 bytes, always different, and cannot be read from what is stored', () => {
  const [one, other] = [signer.create(id), signer.create(id)]
  expect(one.value).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
  expect(one.value).not.toBe(other.value)
  expect(Buffer.from(one.sealed.data, 'base64url').toString('latin1')).not.toContain(one.value.slice(6))
})

test('until its time is over, the old secret signs too', () => {
  const [secret, before] = [signer.create(id).sealed, signer.create(id).sealed]
  const webhook = { id, secret, previous: { secret: before, until: 1_000 } }
  const [now, then] = [signer.sign({ ...webhook, previous: null }, message, 0), signer.sign({ id, secret: before, previous: null }, message, 0)]
  expect(signer.sign(webhook, message, 999)).toBe(`${now} ${then}`)
  expect(signer.sign(webhook, message, 1_000)).toBe(now)
})

test("another webhook's secret cannot be used", () => {
  const webhook = { id: asId<WebhookId>('another'), secret: seal('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'), previous: null }
  expect(() => signer.sign(webhook, message, 0)).toThrow(expect.objectContaining({ code: 'secret_unreadable' }))
})

import { expect, test } from 'vitest'
import { fine, read, tokenInstallation, write } from '../../../test/support/token-installation.ts'
import type { SendResult } from '../../plugin/index.ts'

test('a rejected secret is not tried again for 30 seconds by any process, except by a manual test', async () => {
  const { system, newProcess, send, pass, asked } = await tokenInstallation()
  system.clientSecret = 'rotated'
  const refused = {
    effect: 'not_sent',
    code: 'token_refused',
    message: expect.stringContaining('(400: not [secret] nor [secret])'),
    remedy: expect.stringContaining('client secret'),
    vendor: { status: 400, code: 'invalid_client' },
  }
  const deps = newProcess()
  for (const process of [deps, deps, newProcess()]) expect(await send(process)).toEqual(refused)
  expect(asked()).toBe(1)
  expect(await send(deps, read, {}, true)).toEqual(refused)
  expect(asked()).toBe(2)
  await pass(29_000)
  expect(await send(deps)).toEqual(refused)
  expect(asked()).toBe(2)
  await pass(2_000)
  await send(deps)
  expect(asked()).toBe(3)
})

test('a refusal that the manifest knows is explained; a fault of the endpoint is not remembered for long', async () => {
  const { system, newProcess, send, pass, asked } = await tokenInstallation()
  const deps = newProcess()
  system.refuses = { status: 503, body: '{}' }
  const sent = async (): Promise<SendResult> => {
    const result = send(deps, write)
    await pass(1_100)
    return result
  }
  for (const _ of [1, 2]) expect(await sent()).toMatchObject({ effect: 'not_sent', code: 'vendor_unavailable' })
  expect(asked()).toBe(2)
  system.refuses = { status: 429, body: '{}', headers: { 'retry-after': '2' } }
  expect(await sent()).toMatchObject({ effect: 'not_sent', code: 'rate_limited', retryAfter: 2 })
  expect(asked()).toBe(3)
  await pass(2_100)
  system.refuses = { status: 200, body: '<html><title>Sign in</title></html>', headers: { 'content-type': 'text/html' } }
  expect(await send(deps, read, {}, true)).toMatchObject({ code: 'answer_not_understood', message: expect.stringContaining('Sign in') })
  system.refuses = { status: 400, body: '{"error":"locked"}' }
  expect(await send(deps, read, {}, true)).toMatchObject({ effect: 'not_sent', code: 'client_locked', remedy: 'Unlock it.' })
})

test('an endpoint that fails is asked once a second, however many calls need a token, and recovers within a second', async () => {
  const { system, newProcess, send, pass, asked } = await tokenInstallation()
  const deps = newProcess()
  system.refuses = { status: 503, body: '{}' }
  const calls: Promise<SendResult>[] = []
  for (let number = 0; number < 1_000; number += 1) {
    calls.push(send(deps, number % 2 === 0 ? read : write))
    if (number % 50 === 49) await pass(100)
  }
  // The calls came in two seconds.
  expect(asked()).toBeLessThanOrEqual(3)
  system.refuses = null
  const after = send(deps)
  await pass(1_100)
  expect(await after).toEqual(fine)
  const results = await Promise.all(calls)
  expect(results.filter(({ effect }) => effect === 'not_sent').length).toBeGreaterThan(500)
  expect(asked()).toBeLessThanOrEqual(4)
})

test('an endpoint that says how long to wait is not asked before, except by a manual test', async () => {
  const { system, newProcess, send, pass, asked } = await tokenInstallation()
  const deps = newProcess()
  system.refuses = { status: 503, body: '{}', headers: { 'retry-after': '20' } }
  expect(await send(deps)).toMatchObject({ code: 'vendor_unavailable', retryAfter: 20 })
  await pass(5_000)
  expect(await send(deps)).toMatchObject({ effect: 'not_sent', code: 'vendor_unavailable', retryAfter: 15 })
  expect(asked()).toBe(1)
  expect(await send(deps, read, {}, true)).toMatchObject({ code: 'vendor_unavailable' })
  expect(asked()).toBe(2)
  system.refuses = null
  await pass(20_000)
  expect(await send(deps)).toEqual(fine)
})

test('a call that waits for an endpoint to rest takes the token of another process', async () => {
  const { system, newProcess, send, pass, asked } = await tokenInstallation()
  const deps = newProcess()
  system.refuses = { status: 503, body: '{}' }
  await send(deps)
  const waiting = send(deps)
  system.refuses = null
  expect(await send(newProcess())).toEqual(fine)
  await pass(1_100)
  expect(await waiting).toEqual(fine)
  expect(asked()).toBe(2)
})

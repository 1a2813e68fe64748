import { setImmediate as turnOfLoop } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemIds } from '../../../runtime/config/index.ts'
import { clientOf } from '../../support/api/api-client.ts'
import { type ApiServer, startApi } from '../../support/api/api-server.ts'

let api: ApiServer

/** Moves the clock forward in small steps until all requests are answered. Answers to wrong keys are delayed. */
async function answered({ clock }: ApiServer, requests: readonly Promise<unknown>[]): Promise<void> {
  let over = false
  const all = Promise.all(requests).then(() => {
    over = true
  })
  while (!over) {
    await turnOfLoop()
    clock.advance(10)
  }
  await all
}

beforeAll(async () => {
  api = await startApi()
})
afterAll(() => api.close())

test('an address that guesses keys is locked out, but keys that worked there before still work', async () => {
  const user = clientOf(api.app, await api.addKey(['alerts:read']))
  const late = clientOf(api.app, await api.addKey(['alerts:read']))
  expect((await user('GET', '/platformapi/alerts')).status).toBe(200)
  api.clock.advance(60_000)
  const guesses = Array.from({ length: 30 }, () => clientOf(api.app, `tsk_${systemIds.secret(32)}`)('GET', '/platformapi/alerts'))
  await answered(api, guesses)
  const codes = (await Promise.all(guesses)).map(({ body }) => body.code)
  expect([codes.filter((code) => code === 'key_rejected').length, codes.filter((code) => code === 'key_attempts_exceeded').length]).toEqual([10, 20])
  const [refused] = (await Promise.all(guesses)).filter(({ status }) => status === 429)
  expect(refused?.headers['retry-after']).toBe('6')
  const signIn = await api.app.inject({ method: 'POST', url: '/console/sign-in', payload: { key: 'guessed' } })
  expect(signIn.json()).toMatchObject({ code: 'key_attempts_exceeded' })
  // The lockout also refuses valid keys that were never used from this address. It does not refuse keys that were.
  expect((await late('GET', '/platformapi/alerts')).body.code).toBe('key_attempts_exceeded')
  expect((await user('GET', '/platformapi/alerts')).status).toBe(200)
  api.clock.advance(6_000)
  expect((await late('GET', '/platformapi/alerts')).status).toBe(200)
})

test('many first requests with one key are one attempt, so a busy source is let in', async () => {
  const fresh = await startApi()
  const source = clientOf(fresh.app, await fresh.addKey(['alerts:read']))
  const first = Array.from({ length: 64 }, () => source('GET', '/platformapi/alerts'))
  await answered(fresh, first)
  expect((await Promise.all(first)).map(({ status }) => status)).toEqual(Array.from({ length: 64 }, () => 200))
  await fresh.close()
})

test('behind a trusted proxy, each client has its own address; nobody else can forge an address', async () => {
  const trusting = await startApi({ trustedProxies: ['127.0.0.0/8'] })
  const guess = (from: string, address: string) =>
    trusting.app.inject({
      method: 'GET',
      url: '/platformapi/alerts',
      remoteAddress: from,
      headers: { authorization: `Bearer tsk_${systemIds.secret(32)}`, 'x-forwarded-for': address },
    })
  const guesses = Array.from({ length: 15 }, () => guess('127.0.0.1', '192.0.2.1'))
  const forged = Array.from({ length: 15 }, (_, at) => guess('198.51.100.1', `192.0.2.${at + 10}`))
  await answered(trusting, [...guesses, ...forged])
  expect(trusting.log.filter((line) => line.includes('locked out'))).toHaveLength(2)
  expect((await guess('127.0.0.1', '192.0.2.2')).json()).toMatchObject({ code: 'key_rejected' })
  for (const answers of [await Promise.all(guesses), await Promise.all(forged)])
    expect(answers.filter(({ statusCode }) => statusCode === 429)).toHaveLength(5)
  await trusting.close()
})

import { expect, test } from 'vitest'
import { ManualClock } from '../../../test/support/clocks/manual-clock.ts'
import type { SendResult } from '../../plugin/index.ts'
import type { AccessToken, TokenResult } from '../tokens/index.ts'
import { timeLeftOf } from './time-left.ts'
import { withToken } from './with-token.ts'

const { signal } = new AbortController()
const grant = { expired: ({ status }: { readonly status: number }) => status === 401 }

function tokenOf(version: number): AccessToken {
  return { text: `token-${version}`, members: {}, version } as AccessToken
}

function answer(status: number): SendResult {
  return { effect: 'done', answer: { status, headers: {}, body: null } }
}

/** Sends requests with tokens 1, 2, and so on. The system answers with the given statuses. */
async function sent(statuses: readonly number[], { sendBy = null, takes = 0 }: { readonly sendBy?: number | null; readonly takes?: number } = {}) {
  const clock = new ManualClock()
  const asked: number[] = []
  const used: string[] = []
  const obtain = async (newerThan: number): Promise<TokenResult> => {
    asked.push(newerThan)
    return { ok: true, token: tokenOf(newerThan + 1) }
  }
  const time = timeLeftOf({ timeout: 1_000, sendBy: sendBy === null ? null : clock.now() + sendBy, signal }, clock)
  const result = await withToken(grant, obtain, time, async ({ text }) => {
    used.push(text)
    clock.advance(takes)
    return answer(statuses[used.length - 1] ?? 500)
  })
  return { asked, used, result }
}

test('a request is sent once if the system accepts the token', async () => {
  expect(await sent([200])).toEqual({ asked: [0], used: ['token-1'], result: answer(200) })
})

test('if the system refuses the token, the request is sent once more with a newer one', async () => {
  expect(await sent([401, 200])).toEqual({ asked: [0, 1], used: ['token-1', 'token-2'], result: answer(200) })
  expect(await sent([401, 401, 200])).toEqual({ asked: [0, 1], used: ['token-1', 'token-2'], result: answer(401) })
})

test('a request is not sent again after its time: a read after its time-out, a write after its sendBy', async () => {
  expect((await sent([401, 200], { takes: 1_000 })).used).toEqual(['token-1'])
  expect((await sent([401, 200], { sendBy: 5_000, takes: 1_000 })).used).toEqual(['token-1', 'token-2'])
  expect((await sent([401, 200], { sendBy: 500, takes: 1_000 })).used).toEqual(['token-1'])
})

test('without a token nothing is sent', async () => {
  const failure = { effect: 'not_sent', code: 'credentials_rejected', message: 'No access token.' } as const
  const time = timeLeftOf({ timeout: 1_000, sendBy: null, signal }, new ManualClock())
  const next = () => Promise.reject(new Error('it was sent'))
  expect(await withToken(grant, async () => ({ ok: false, failure }), time, next)).toBe(failure)
})

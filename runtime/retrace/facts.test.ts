import { expect, test } from 'vitest'
import type { JournalRecord } from '../domain/index.ts'
import { RunFacts } from './facts.ts'

const intent = (address: string, number: number, at: number): JournalRecord => ({
  kind: 'intent',
  address,
  try: number,
  digest: 'd',
  connection: 'c',
  revision: 1,
  sendBy: 99,
  at,
})

test('requests of one handler are not tries of the same request', async () => {
  const { calls } = await RunFacts.read([intent('tag#2', 1, 1), intent('tag#3', 1, 2), intent('tag#4', 1, 3)], () => null)
  expect(calls.get('tag')).toMatchObject({
    tries: 1,
    attempts: [
      { request: 2, number: 1 },
      { request: 3, number: 1 },
      { request: 4, number: 1 },
    ],
  })
})

test('a request that was sent twice has two tries', async () => {
  const refused: JournalRecord = { kind: 'tried', address: 'tag#2', try: 1, effect: 'refused', code: 'rate_limited', at: 2 }
  const { calls } = await RunFacts.read(
    [intent('tag#2', 1, 1), refused, intent('tag#2', 2, 3), intent('suspend', 1, 4), intent('suspend', 2, 5)],
    () => null,
  )
  expect(calls.get('tag')).toMatchObject({
    tries: 2,
    attempts: [
      { request: 2, number: 1, effect: 'refused', code: 'rate_limited' },
      { request: 2, number: 2, effect: null },
    ],
  })
  expect(calls.get('suspend')).toMatchObject({
    tries: 2,
    attempts: [
      { request: null, number: 1 },
      { request: null, number: 2 },
    ],
  })
})

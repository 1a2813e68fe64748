import { pino } from 'pino'
import { expect, test } from 'vitest'
import { ManualClock } from '../../../test/support/clocks/manual-clock.ts'
import { heartbeatEvery, type Ids } from '../../domain/index.ts'
import type { Store } from '../../storage/index.ts'
import { openSessions } from './session.ts'

test('when the store declares the session dead, its runs are told to stop and another one is opened', async () => {
  const clock = new ManualClock()
  const opened: string[] = []
  const beats: [session: string, alive: boolean][] = []
  const dead = new Set<string>()
  const store = {
    sessions: {
      open: async (_: unknown, { id }: { id: string }) => void opened.push(id),
      heartbeat: async (_: unknown, id: string) => {
        beats.push([id, !dead.has(id)])
        return !dead.has(id)
      },
      close: async () => {},
    },
  } as unknown as Store
  const ids = { uuid: () => `s${opened.length + 1}` } as unknown as Ids
  let alive = 0
  const sessions = await openSessions(store, clock, ids, pino({ enabled: false }), { onAlive: () => (alive += 1) })
  const first = sessions.signal
  const beat = async (): Promise<void> => {
    const before = alive
    clock.advance(heartbeatEvery)
    await expect.poll(() => alive).toBe(before + 1)
  }
  await beat()
  expect([first.aborted, sessions.id]).toEqual([false, 's1'])
  dead.add('s1')
  await beat()
  expect([first.aborted, sessions.signal.aborted, sessions.id]).toEqual([true, false, 's2'])
  await beat()
  expect(beats).toEqual([
    ['s1', true],
    ['s1', false],
    ['s2', true],
  ])
  await sessions.close()
})

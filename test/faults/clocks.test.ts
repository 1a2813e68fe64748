import { afterEach, expect, test } from 'vitest'
import { backendsAtHand } from '../support/processes/installation.ts'
import { seeded } from '../support/seeded.ts'
import { redisServerOnPath } from '../support/stores/redis-server.ts'
import { until } from '../support/until.ts'
import { openStand, type Stand } from './storm/stand.ts'

const hour = 3_600_000
/**
 * The time between two jumps: this many requests at the external system, or this many milliseconds if runs
 * wait for a time far ahead.
 */
const [calm, patience] = [20, 2_000]

let stand: Stand
// If the test ran out of time, its processes would live on.
afterEach(() => stand?.close())

test.for(backendsAtHand('clocks that jump'))(
  'clock jumps on %s, of one process or of all, with and without a kill, cost time but no write',
  { timeout: 600_000 },
  async (one, { skip }) => {
    skip(one === 'services' && !redisServerOnPath, 'there is no redis-server to kill')
    stand = await openStand(one, seeded(11))
    const { processes, ledger } = stand
    const last = processes.at(-1)
    const calmed = async (): Promise<void> => {
      const enough = ledger.requests + calm
      const latest = Date.now() + patience
      await until(async () => ledger.requests >= enough || Date.now() >= latest)
    }
    const all = (offset: number): void => {
      for (const process of processes) process.setClock(offset)
    }
    const wrong = await stand.during(async () => {
      await calmed()
      for (const offset of [hour, -hour]) {
        last?.setClock(offset)
        await calmed()
        await last?.kill()
        last?.setClock(0)
        await last?.start()
        all(offset)
        await calmed()
        all(0)
      }
      // If a clock was ahead when it set a time, that time comes late. Allow for that.
      all(2 * hour)
    })
    expect(wrong).toEqual([])
    expect(stand.log).toEqual([])
  },
)

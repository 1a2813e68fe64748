import { afterEach, expect, test } from 'vitest'
import { backendsAtHand } from '../support/processes/installation.ts'
import { seeded } from '../support/seeded.ts'
import { redisServerOnPath } from '../support/stores/redis-server.ts'
import { until } from '../support/until.ts'
import { openStand, type Stand } from './storm/stand.ts'

const hour = 3_600_000
/** Between two jumps: so many requests at the other end, or so long, where runs wait for a time that is far ahead. The second in milliseconds. */
const [calm, patience] = [20, 2_000]

let stand: Stand
// Also where the test ran out of time: its processes would go on.
afterEach(() => stand?.close())

test.for(backendsAtHand('clocks that jump'))(
  'clocks that jump on %s, of one process or of all, with and without a kill, cost time and no write',
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
      // What was to come at a time of a clock that was ahead comes when that time has come: let it be so late.
      all(2 * hour)
    })
    expect(wrong).toEqual([])
    expect(stand.log).toEqual([])
  },
)

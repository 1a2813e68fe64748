import { afterEach, expect, test } from 'vitest'
import { backendsAtHand } from '../support/processes/installation.ts'
import { seeded } from '../support/seeded.ts'
import { redisServerOnPath } from '../support/stores/redis-server.ts'
import { until } from '../support/until.ts'
import { lateAtTheOtherEnd } from './storm/checks.ts'
import type { Fault } from './storm/fault.ts'
import { faultsOf } from './storm/faults.ts'
import { openStand, type Stand } from './storm/stand.ts'

/** `TOCSIN_FAULT_SEED` chooses another storm, `TOCSIN_FAULT_SECONDS` a longer one, `TOCSIN_FAULT_NAMES` (a pattern) only some faults. */
const seed = Number(process.env['TOCSIN_FAULT_SEED'] ?? Math.floor(Math.random() * 1_000_000))
const seconds = Number(process.env['TOCSIN_FAULT_SECONDS'] ?? 30)
const names = new RegExp(process.env['TOCSIN_FAULT_NAMES'] ?? '')
/** The time between two faults: at most this many requests at the external system, or this many milliseconds. */
const [calm, patience] = [40, 3_000]

let stand: Stand
// If the test ran out of time, its processes would live on.
afterEach(() => stand?.close())

test.for(backendsAtHand('the storm'))(
  'in a storm on %s every acknowledged alert ends, nothing is written twice, and every interrupted write is asked about',
  { timeout: (seconds + 600) * 1_000 },
  async (one, { skip }) => {
    skip(one === 'services' && !redisServerOnPath, 'there is no redis-server to kill')
    console.log(`storm on ${one}: TOCSIN_FAULT_SEED=${seed} TOCSIN_FAULT_SECONDS=${seconds}`)
    const random = seeded(seed)
    stand = await openStand(one, seeded(seed + 1))
    const befell: string[] = []
    const faults = faultsOf(stand).filter(({ name }) => names.test(name))
    const wrong = await stand.during(async () => {
      const end = Date.now() + seconds * 1_000
      while (Date.now() < end) {
        const enough = stand.ledger.requests + 1 + random(calm)
        const latest = Math.min(end, Date.now() + random(patience))
        await until(async () => stand.ledger.requests >= enough || Date.now() >= latest)
        const fault = faults[random(faults.length)] as Fault
        befell.push(fault.name)
        await fault.befall(random)
      }
    })
    console.log(
      `${stand.ledger.requests} requests, ${stand.people.seen.size} decisions, ${stand.ledger.lost.size} lost, ${stand.people.cancelled.size} cancelled, ${stand.ledger.told.size} told, ${stand.site.toLedger.accepted} connections of agents; ${befell.join(', ')}`,
    )
    expect(wrong).toEqual([])
    expect(await lateAtTheOtherEnd(stand.target(), stand.ledger)).toEqual([])
    expect(stand.log).toEqual([])
  },
)

import { afterEach, expect, test } from 'vitest'
import { seeded } from '../support/seeded.ts'
import { mongoSetAtHand } from '../support/stores/mongo-set.ts'
import { until } from '../support/until.ts'
import { openStand, type Stand } from './storm/stand.ts'

const set = mongoSetAtHand('primaries of a replica set that are killed')
const kills = 3

let stand: Stand
afterEach(() => stand?.close())

test.runIf(set)(
  'while primaries of a replica set are killed one by one, every acknowledged alert ends and nothing is written twice',
  { timeout: 1_200_000 },
  async () => {
    if (!set) return
    stand = await openStand('services', seeded(7), {}, 'directly')
    const wrong = await stand.during(async (flood) => {
      const acknowledged = (): number => flood.acknowledged.reduce((sum, source) => sum + source.length, 0)
      const more = async (requests: number): Promise<void> => {
        const before = stand.ledger.requests
        await until(async () => stand.ledger.requests >= before + requests)
      }
      for (let kill = 0; kill < kills; kill += 1) {
        await more(60)
        const before = acknowledged()
        await set.killPrimary()
        // The other two members continue alone.
        await until(async () => acknowledged() > before)
        await more(30)
        await set.restart()
      }
    })
    expect(wrong).toEqual([])
    expect(stand.log).toEqual([])
  },
)

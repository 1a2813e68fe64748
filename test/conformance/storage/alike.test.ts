import { expect, test } from 'vitest'
import { Dice } from '../../engine/support/random-playbook.ts'
import { actAtRandom } from './alike/acts.ts'
import { BothStores } from './alike/both-stores.ts'
import { History } from './alike/history.ts'
import { Questions } from './alike/questions.ts'

const url = process.env['MONGODB_URL']
// This needs a MongoDB replica set. Without MONGODB_URL it is skipped.
if (!url) console.log('skipped: both stores answer alike (MONGODB_URL is not set)')

/**
 * `TOCSIN_TEST_FIRST_SEED` chooses another history, `TOCSIN_TEST_QUESTIONS` how many questions are asked about it, `TOCSIN_TEST_ACTS` how many
 * acts the second test does.
 */
const seed = Number(process.env['TOCSIN_TEST_FIRST_SEED'] ?? 1)
const questions = Number(process.env['TOCSIN_TEST_QUESTIONS'] ?? 100)
const acts = Number(process.env['TOCSIN_TEST_ACTS'] ?? 150)
const steps = 100

test.skipIf(!url)('the embedded store and MongoDB answer the same about the same history', async () => {
  const both = await BothStores.open(url ?? '')
  try {
    const dice = new Dice(seed)
    const history = new History(both, dice)
    await history.begin()
    for (let step = 0; step < steps; step += 1) await history.goOn()
    expect(history.cases.length).toBeGreaterThan(10)
    const asked = new Questions(both, history, dice)
    for (let count = 0; count < questions; count += 1) await asked.ask()
  } finally {
    await both.close()
  }
})

test.skipIf(!url)('the embedded store and MongoDB do the same with everything else: decisions, connections, webhooks and more', async () => {
  const both = await BothStores.open(url ?? '')
  try {
    await actAtRandom(both, new Dice(seed), acts)
  } finally {
    await both.close()
  }
})

import { expect, test } from 'vitest'
import { forgettingIntents, type Lie, losingAlerts, withoutBurial, withoutFence, withoutIntents, withoutKeys, withoutPauses } from './lying-stores.ts'
import { simulate } from './simulate.ts'

const longest = 600_000

/** The simulation must find deliberate mistakes. Otherwise its success means nothing. */
test.each<[string, Lie, RegExp]>([
  ['a journal without a fence', withoutFence, /arrived|in the place of|without a claim|no end|left/],
  ['an execution that does not see the intents of the one before', withoutIntents, /arrived \d times|journal says not_sent/],
  ['an intent that is not durable', forgettingIntents, /no journal knows of it|in the place of/],
  ['an alert that is acknowledged and not stored', losingAlerts, /was acknowledged, and the store does not have it/],
  ['a repeated alert that is stored as a new one', withoutKeys, /is there twice/],
  ['a pause that has no effect', withoutPauses, /after somebody was told that it is paused/],
  ['a dead process whose runs are not taken over', withoutBurial, /has not ended/],
])(
  '%s is found',
  async (_what, store, wrong) => {
    const found: string[] = []
    for (let seed = 1; seed <= 150 && !found.some((what) => wrong.test(what)); seed += 1)
      found.push(...(await simulate(seed, { tampering: { store }, mostEvents: 10_000 })).wrong)
    expect(found.find((what) => wrong.test(what))).toBeDefined()
  },
  longest,
)

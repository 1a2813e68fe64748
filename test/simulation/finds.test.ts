import { expect, test } from 'vitest'
import { forgettingIntents, type Lie, losingAlerts, withoutBurial, withoutFence, withoutIntents, withoutKeys, withoutPauses } from './lying-stores.ts'
import { simulate } from './simulate.ts'

const longest = 600_000

/** The simulation must find deliberate mistakes. Otherwise its success means nothing. */
test.each<[string, Lie, RegExp]>([
  ['a journal that does not fence', withoutFence, /arrived|in the place of|without a claim|no end|left/],
  ['a life that does not know what the one before was about to send', withoutIntents, /arrived \d times|journal says not_sent/],
  ['an intent that is not durable', forgettingIntents, /no journal knows of it|in the place of/],
  ['an alert that is acknowledged and not stored', losingAlerts, /was acknowledged, and the store does not have it/],
  ['an alert that is sent again and taken for a new one', withoutKeys, /is there twice/],
  ['a pause that nobody sees', withoutPauses, /after somebody was told that it is paused/],
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

import { expect, test } from 'vitest'
import { TocsinError } from '../../runtime/errors/index.ts'
import { quiet } from './quiet.ts'
import { eachMethod } from './seams/store.ts'
import { simulate } from './simulate.ts'

/** What seeds have found, played by itself: a seed plays something else as soon as anything of the simulation changes. */

test('a claim that was given up and took effect later does not leave its run to nobody', async () => {
  let claims = 0
  const played = await simulate(1, {
    scenario: (scenario) => ({ ...quiet(scenario), alerts: 1, backends: 'shared' }),
    tampering: {
      store: (store, world) =>
        eachMethod(store, async (name, _given, call) => {
          if (name !== 'runs.claim') return call()
          claims += 1
          if (claims > 1) return call()
          // The process claims the run again at its next heartbeat; this comes while it works on it.
          world.after(3_000, null, () => void call())
          throw new TocsinError('store_unavailable', 'The store does not answer.')
        }),
    },
  })
  expect(claims).toBeGreaterThan(1)
  expect(played.wrong).toEqual([])
})

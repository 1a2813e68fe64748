import { expect, test } from 'vitest'
import type { Clock } from '../../runtime/domain/index.ts'
import { TocsinError } from '../../runtime/errors/index.ts'
import type { Store } from '../../runtime/storage/index.ts'
import { pause, resume } from '../support/pauses.ts'
import { quiet } from './quiet.ts'
import { eachMethod } from './seams/store.ts'
import { type Played, simulate } from './simulate.ts'
import type { World } from './world/world.ts'

/** Cases that seeds have found, as fixed tests. A seed plays something else after any change of the simulation. */

interface Late {
  readonly played: Played
  readonly claims: number
}

/**
 * Plays one alert whose first claim is reported as failed and takes effect three seconds later.
 * @param meanwhile what somebody does at that moment
 */
async function lateClaim(meanwhile: (store: Store, world: World) => void = () => {}): Promise<Late> {
  let claims = 0
  const played = await simulate(1, {
    scenario: (scenario) => ({ ...quiet(scenario), alerts: 1, backends: 'shared' }),
    tampering: {
      store: (store, world) =>
        eachMethod(store, async (name, _given, call) => {
          if (name !== 'runs.claim') return call()
          claims += 1
          if (claims > 1) return call()
          meanwhile(store, world)
          world.after(3_000, null, () => void call())
          throw new TocsinError('store_unavailable', 'The store does not answer.')
        }),
    },
  })
  return { played, claims }
}

function pauseForAWhile(store: Store, world: World): void {
  const clock = { now: () => world.now } as Clock
  void pause(store, clock)
  world.after(60_000, null, () => void resume(store, clock))
}

test('a run has a worker even if its claim was given up and took effect later', async () => {
  // The process claims the run again at its next heartbeat. The first heartbeat comes while it works on the run.
  const { played, claims } = await lateClaim()
  expect(claims).toBeGreaterThan(1)
  expect(played.wrong).toEqual([])
})

test('a run has a worker even if a fault came right before a pause', async () => {
  let appends = 0
  const played = await simulate(1, {
    scenario: (scenario) => ({ ...quiet(scenario), alerts: 1, backends: 'shared' }),
    tampering: {
      store: (store, world) =>
        eachMethod(store, async (name, _given, call) => {
          if (name !== 'journal.append') return call()
          appends += 1
          if (appends > 1) return call()
          pauseForAWhile(store, world)
          throw new TocsinError('store_unavailable', 'The store does not answer.')
        }),
    },
  })
  expect(appends).toBeGreaterThan(1)
  expect(played.wrong).toEqual([])
})

test('a run has a worker even if everything was paused before its late claim took effect', async () => {
  const { played } = await lateClaim(pauseForAWhile)
  expect(played.wrong).toEqual([])
})

import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newAlert, newTenant } from '../../../../test/conformance/storage/fixtures.ts'
import { ManualClock } from '../../../../test/support/clocks/manual-clock.ts'
import { until } from '../../../../test/support/until.ts'
import { systemClock, systemIds } from '../../../config/seams.ts'
import { systemScope } from '../../../domain/index.ts'
import { type Assembled, assemble } from '../assemble.ts'
import { type Connected, connect } from '../client/connect.ts'
import { type Collections, collectionsOf } from '../database/collections.ts'
import { migrate } from '../database/indexes.ts'

const url = process.env['MONGODB_URL']
// These tests need a MongoDB replica set. Without MONGODB_URL they are skipped.
if (!url) console.log('skipped: the work that builds segments of words in MongoDB (MONGODB_URL is not set)')

describe.skipIf(!url)('segments of words in MongoDB, which the sweeper starts to build', () => {
  let opened: Connected
  let collections: Collections

  beforeAll(async () => {
    opened = await connect(url ?? '', `work-${randomUUID()}`)
    await migrate(opened.database, systemClock)
    collections = collectionsOf(opened.database)
    const { alerts } = assemble(collections, systemClock, systemIds).aggregates
    const tenant = newTenant()
    for (let part = 0; part < 16; part += 1)
      await alerts.insert(
        systemScope,
        Array.from({ length: 512 }, () => newAlert(tenant)),
      )
  })
  afterAll(async () => {
    await opened.database.dropDatabase()
    await opened.client.close()
  })

  /** The same collection, but for one method. */
  function but<K extends keyof Collections>(name: K, method: keyof Collections[K], called: (parameter: unknown) => void): Pick<Collections, K> {
    const proxy = new Proxy(collections[name], {
      get(target, property) {
        const value = Reflect.get(target, property, target)
        if (typeof value !== 'function') return value
        return (...parameters: unknown[]) => {
          if (property === method) called(parameters[0])
          return value.apply(target, parameters)
        }
      },
    })
    return { [name]: proxy } as unknown as Pick<Collections, K>
  }

  /** Sweeps until something has happened. A block is settled at a later look than the first one. */
  const sweepUntil = ({ alerts }: Assembled['aggregates'], clock: ManualClock, happened: () => boolean): Promise<unknown> =>
    until(async () => {
      clock.leap(16_000)
      await alerts.repair(systemScope, 0)
      return happened()
    })
  const segments = (): Promise<number> => collections.alertSegments.countDocuments()

  test.each([
    ['alerts', 'find'],
    ['alertPages', 'insertMany'],
    ['alertSegments', 'insertOne'],
  ] as const)('are not all built before the store closes: at %s.%s', async (name, method) => {
    let [calls, closing]: [number, Promise<void> | null] = [0, null]
    const before = await segments()
    const clock = new ManualClock()
    const changed = but(name, method as never, (parameter) => {
      // Another part of the sweep looks for alerts too.
      if (name === 'alerts' && !Object.hasOwn(parameter as object, 'block')) return
      calls += 1
      closing ??= close()
    })
    const { aggregates, close } = assemble({ ...collections, ...changed }, clock, systemIds)
    await sweepUntil(aggregates, clock, () => closing !== null)
    await closing
    expect(calls).toBe(1)
    expect(await segments()).toBe(before + (name === 'alertSegments' ? 1 : 0))
    await aggregates.alerts.repair(systemScope, 0)
    await close()
    expect(calls).toBe(1)
  })

  test('are reported once while they cannot be built, and once when they can', async () => {
    const notices: string[] = []
    let [fails, failed] = [true, 0]
    const changed = but('alertWords', 'find', () => {
      if (!fails) return
      failed += 1
      throw new Error('no primary')
    })
    const clock = new ManualClock()
    const { aggregates, close } = assemble({ ...collections, ...changed }, clock, systemIds, ({ level, message }) =>
      notices.push(`${level}: ${message}`),
    )
    await sweepUntil(aggregates, clock, () => failed > 2)
    expect(notices).toEqual([expect.stringMatching(/^warn: The index of words .* Reason: no primary$/)])
    fails = false
    await sweepUntil(aggregates, clock, () => notices.length > 1)
    await sweepUntil(aggregates, clock, () => true)
    await close()
    expect(notices.slice(1)).toEqual([expect.stringMatching(/^info: /)])
  })
})

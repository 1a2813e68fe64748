import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { ManualClock } from '../../../../test/support/clocks/manual-clock.ts'
import { until } from '../../../../test/support/until.ts'
import { systemClock, systemIds } from '../../../config/seams.ts'
import { type AlertUuid, asId, type NewAlert, type OrganizationId, type PrincipalId, systemScope } from '../../../domain/index.ts'
import { type Assembled, assemble } from '../assemble.ts'
import { type Connected, connect } from '../client/connect.ts'
import { type Collections, collectionsOf } from '../database/collections.ts'
import { migrate } from '../database/indexes.ts'

const url = process.env['MONGODB_URL']
// These tests need a MongoDB replica set. Without MONGODB_URL they are skipped.
if (!url) console.log('skipped: words of late alerts in MongoDB (MONGODB_URL is not set)')

function alertWith(token: string): NewAlert {
  return {
    uuid: asId<AlertUuid>(systemIds.uuid()),
    organization: asId<OrganizationId>('o'),
    organizationCode: 'O',
    provider: 'EDR',
    numberedAs: 'O-EDR',
    type: null,
    content: token,
    name: 'x',
    tokens: [token],
    createdAt: 1_000_000,
    createdAtSource: null,
    createdBy: asId<PrincipalId>('p'),
    idempotency: null,
  }
}

describe.skipIf(!url)('the words of alerts whose insert took long', () => {
  let opened: Connected
  let collections: Collections
  let clock: ManualClock
  let fails: boolean
  let commands: string[]
  let notices: string[]
  let process: Assembled

  /** The collections as they are while MongoDB stalls at each insert of alerts. Meanwhile the first block of the alerts becomes part of a segment. */
  function stalling(): Collections {
    const proxyOf = <K extends 'alerts' | 'alertWords'>(name: K): Collections[K] =>
      new Proxy(collections[name], {
        get(target, property) {
          const value = Reflect.get(target, property, target)
          if (typeof value !== 'function') return value
          return async (...parameters: unknown[]) => {
            commands.push(`${name} ${String(property)}`)
            if (name === 'alerts' && property === 'bulkWrite' && fails) throw new Error('no primary')
            if (name === 'alerts' && property === 'insertMany') {
              await collections.alertWords.deleteMany({})
              clock.leap(6_000)
            }
            return value.apply(target, parameters)
          }
        },
      })
    const proxies = { ...collections, alerts: proxyOf('alerts'), alertWords: proxyOf('alertWords') }
    return { ...proxies, alerts: withFind(proxies.alerts, collections.alerts) }
  }
  /** A cursor is no promise. */
  function withFind(proxy: Collections['alerts'], real: Collections['alerts']): Collections['alerts'] {
    return new Proxy(proxy, { get: (target, property) => (property === 'find' ? real.find.bind(real) : Reflect.get(target, property)) })
  }

  async function found(token: string): Promise<string[]> {
    const alerts = assemble(collections, systemClock, systemIds).aggregates.alerts
    const { items } = await alerts.list(systemScope, { words: [token], sort: 'created_at', after: null, limit: 500, preview: 0 })
    return items.map(({ uuid }) => uuid)
  }

  beforeAll(async () => {
    opened = await connect(url ?? '', `late-${randomUUID()}`)
    await migrate(opened.database, systemClock)
    collections = collectionsOf(opened.database)
  })
  beforeEach(() => {
    clock = new ManualClock()
    fails = false
    commands = []
    notices = []
    process = assemble(stalling(), clock, systemIds, ({ level, message }) => void notices.push(`${level}: ${message}`))
  })
  afterAll(async () => {
    await opened.database.dropDatabase()
    await opened.client.close()
  })

  test('are written again with one command for the blocks and one for the alerts', async () => {
    const alerts = Array.from({ length: 130 }, () => alertWith('many'))
    await process.aggregates.alerts.insert(systemScope, alerts)
    expect(commands.toSorted()).toEqual(['alertWords insertMany', 'alertWords insertMany', 'alerts bulkWrite', 'alerts insertMany'])
    expect((await found('many')).toSorted()).toEqual(alerts.map(({ uuid }) => uuid).toSorted())
  })

  test('cannot be written again: the alerts are acknowledged, the operator is told once, and it is tried again', async () => {
    fails = true
    const alerts = [alertWith('again'), alertWith('again')]
    for (const alert of alerts) {
      const [inserted] = await process.aggregates.alerts.insert(systemScope, [alert])
      expect(inserted).toMatchObject({ fresh: true, alert: { uuid: alert.uuid } })
    }
    expect(await found('again')).toEqual([])
    expect(notices).toEqual([expect.stringMatching(/^warn: .*words.*Reason: no primary$/)])
    fails = false
    clock.advance(10_000)
    await until(() => notices.length > 1)
    expect(notices[1]).toMatch(/^info: /)
    expect((await found('again')).toSorted()).toEqual(alerts.map(({ uuid }) => uuid).toSorted())
  })

  test('are written when the store closes', async () => {
    fails = true
    const alert = alertWith('closes')
    await process.aggregates.alerts.insert(systemScope, [alert])
    fails = false
    await process.close()
    expect(await found('closes')).toEqual([alert.uuid])
  })
})

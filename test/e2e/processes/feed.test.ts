import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { request } from '../../../runtime/cli/client.ts'
import { FeedClient } from '../../support/api/feed-client.ts'
import { backendsAtHand, type Installation, newInstallation, shippedPlugin } from '../../support/processes/installation.ts'
import { spawnTocsin, type TocsinProcess } from '../../support/processes/tocsin-process.ts'
import { RedisServer, redisServerOnPath } from '../../support/stores/redis-server.ts'
import { until } from '../../support/until.ts'

const atHand = backendsAtHand('the feed of separate processes').includes('services') && redisServerOnPath

describe.runIf(atHand)('the feed of separate processes', () => {
  let installation: Installation
  let redis: RedisServer
  let environment: NodeJS.ProcessEnv
  const running: TocsinProcess[] = []
  const clients: FeedClient[] = []
  const [one, other] = [() => target(0), () => target(1)]
  const target = (index: number) => ({ url: running[index]?.url ?? '', key: installation.adminKey })
  const feed = async (index: number): Promise<FeedClient> => {
    const client = await FeedClient.open(target(index).url, installation.adminKey)
    clients.push(client)
    return client
  }
  /** How many processes of the installation listen for hints. */
  const listening = (): Promise<number> =>
    redis.ask(async (client) => {
      const channels = (await client.pubsub('CHANNELS', '*:feed')) as string[]
      const counted = channels[0] === undefined ? [null, 0] : await client.pubsub('NUMSUB', channels[0])
      return Number(counted[1])
    })

  beforeAll(async () => {
    installation = newInstallation('services')
    redis = await RedisServer.start()
    environment = {
      ...installation.environment,
      REDIS_URL: redis.url,
      TOCSIN_PLUGINS: shippedPlugin('mailsec'),
      TOCSIN_PLAYBOOKS: installation.directory,
    }
    for (const command of ['serve', 'serve', 'worker'] as const) running.push(await spawnTocsin(command, environment))
    await request(one(), 'POST', '/platformapi/organizations', { code: 'ACME', name: 'Acme' })
    await request(one(), 'POST', '/platformapi/providers', { code: 'EDR', name: 'EDR' })
  })
  afterAll(async () => {
    for (const client of clients) client.close()
    for (const each of running) await each.stop()
    await redis?.remove()
    await installation?.remove()
  })

  const investigate = async (): Promise<Record<string, unknown>> => {
    const body = { alert_content: '{"title":"x"}', alert_provider: 'EDR', organization_code: 'ACME', alert_type: 'unseen' }
    return request(one(), 'POST', '/platformapi/alerts', body, { prefer: 'wait=200' })
  }

  test('no change is published while nobody looks', async () => {
    expect(await listening()).toBe(0)
    const published: string[] = []
    await redis.ask(async (client) => {
      client.on('pmessage', (_pattern, channel) => published.push(String(channel)))
      await client.psubscribe('*:feed', '*:ends', '*:wakes')
      await investigate()
    })
    // The end is published, because the request waits for it. The queue publishes a wake only if no worker is free to take the job directly.
    const channels = new Set(published.map((channel) => channel.split(':').at(-1)))
    channels.delete('wakes')
    expect(channels).toEqual(new Set(['ends']))
  })

  test('a stream of one process tells what another one and the worker changed', async () => {
    const client = await feed(1)
    await client.find(({ event }) => event === 'refresh')
    expect(await listening()).toBe(1)
    const alert = await investigate()
    await client.named('alert', String(alert['alert_id']))
    await client.named('run', `${alert['alert_uuid']}-r1`)
    const known = await request(other(), 'GET', `/platformapi/alerts/${alert['alert_id']}`)
    await client.named('case', String(known['case_id']))
  })

  test('a key that another process revokes loses its stream', async () => {
    const key = await request(one(), 'POST', '/platformapi/keys', { name: 'k', scopes: ['alerts:read'] })
    const client = await FeedClient.open(other().url, String(key['key']))
    await client.find(({ event }) => event === 'refresh')
    await request(one(), 'DELETE', `/platformapi/keys/${key['id']}`)
    await expect(client.until(() => false)).rejects.toThrow('the stream ended')
  })

  test('an id of another process gets a refresh', async () => {
    const [first] = clients
    const client = await FeedClient.open(one().url, installation.adminKey, { after: first?.lastId ?? null })
    clients.push(client)
    await client.find(({ event }) => event === 'refresh')
  })

  test('when Redis comes back, streams get a refresh, and hints flow again', async () => {
    const client = await feed(1)
    await client.find(({ event }) => event === 'refresh')
    const refreshes = () => client.events.filter(({ event }) => event === 'refresh').length
    const before = refreshes()
    await redis.kill()
    await redis.start()
    await client.until(() => refreshes() > before)
    // The connections of a process come back one after the other. What the worker cannot tell until then becomes a refresh.
    await until(async () => {
      const known = refreshes()
      const run = `${(await investigate())['alert_uuid']}-r1`
      const isNamed = (): boolean => client.events.some(({ data }) => data.changes?.some(({ id }) => id === run))
      await client.until(() => isNamed() || refreshes() > known)
      return isNamed()
    })
  })
})

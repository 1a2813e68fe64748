import { join } from 'node:path'
import { Redis } from 'ioredis'
import { MongoClient } from 'mongodb'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Running, start } from '../../runtime/app/start.ts'
import { type Answer, request, type Target } from '../../runtime/cli/client.ts'
import { readConfig } from '../../runtime/config/index.ts'
import { createLogger } from '../../runtime/telemetry/index.ts'
import { caFile, openPki } from '../simulators/pki.ts'
import { type SimulatorServer, serveSimulator } from '../simulators/server.ts'
import { type Installation, newInstallation } from '../support/processes/installation.ts'
import { TokenSystem } from '../support/token-system.ts'
import { sings } from './canary.ts'

const atHand = Boolean(process.env['MONGODB_URL'] && process.env['REDIS_URL'])
if (!atHand) console.log('skipped: access tokens on MongoDB and Redis (MONGODB_URL and REDIS_URL are not set)')

describe.skipIf(!atHand)('two processes over MongoDB', () => {
  const system = new TokenSystem()
  let installation: Installation
  let simulator: SimulatorServer
  const processes: Running[] = []
  let connection: string

  const targets = (): Target[] => processes.map(({ url }) => ({ url, key: installation.adminKey }))
  const call = (target: Target): Promise<Answer> =>
    request(target, 'POST', `/platformapi/connections/${connection}/skills/get_record`, { input: { id: '1' } })
  /** Starts five calls in each process at the same time. */
  const callAll = (): Promise<Answer[]> => Promise.all([1, 2, 3, 4, 5].flatMap(() => targets().map(call)))
  const tokenRequests = (): number => simulator.exchanges.filter(({ path }) => path === '/oauth2/token').length

  beforeAll(async () => {
    installation = newInstallation('services')
    const folder = join(installation.directory, 'pki')
    simulator = await serveSimulator((asked) => system.answer(asked), { pki: openPki(folder), port: 0, remember: 1_000 })
    const plugins = join(import.meta.dirname, '../support/plugins')
    const settings = {
      ...installation.environment,
      TOCSIN_CA_FILE: caFile(folder),
      TOCSIN_PLUGINS: plugins,
      TOCSIN_PLAYBOOKS: installation.directory,
    }
    for (const _ of [1, 2]) {
      const config = readConfig(settings, { port: '0' })
      processes.push(await start(config, { api: true, worker: false }, createLogger({ level: 'fatal', destination: process.stderr })))
    }
    const [admin] = targets()
    if (!admin) throw new Error('nothing was started')
    const { id } = await request(admin, 'POST', '/platformapi/connections', {
      instance: 'main',
      integration: 'records',
      organization_code: null,
      credentials: { instance_url: simulator.url, client_id: system.clientId, client_secret: system.clientSecret },
    })
    connection = String(id)
  })
  afterAll(async () => {
    for (const running of processes) await running.stop()
    await simulator?.close()
    await installation?.remove()
  })

  test('share one token, and renew it once when it has expired (complaint 8)', async () => {
    for (const result of await callAll()) expect(result).toMatchObject({ ok: true })
    expect(tokenRequests()).toBe(1)
    system.expireAll()
    for (const result of await callAll()) expect(result).toMatchObject({ ok: true })
    expect(tokenRequests()).toBe(2)
  })

  test('keep the token and the secret in MongoDB and Redis only as ciphertext', async () => {
    expect(system.issued).toHaveLength(2)
    const client = new MongoClient(installation.environment['MONGODB_URL'] ?? '')
    const redis = new Redis(installation.environment['REDIS_URL'] ?? '')
    try {
      const database = client.db()
      const names = (await database.listCollections().toArray()).map(({ name }) => name)
      expect(names).toContain('connections')
      for (const name of names) expect(sings(JSON.stringify(await database.collection(name).find().toArray())), name).toBe(false)
      expect(await database.collection('connections').findOne()).toMatchObject({ access: { version: 2, sealed: { v: 1 } } })
      for (const key of await redis.keys('*')) expect(sings((await redis.dumpBuffer(key))?.toString('latin1') ?? ''), key).toBe(false)
    } finally {
      await client.close()
      redis.disconnect()
    }
  })
})

import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Answer, request, type Target } from '../../runtime/cli/client.ts'
import { backendsAtHand, type Installation, newInstallation } from '../support/processes/installation.ts'
import { spawnTocsin, type TocsinProcess } from '../support/processes/tocsin-process.ts'
import { RedisServer, redisServerOnPath } from '../support/stores/redis-server.ts'
import { until } from '../support/until.ts'

const atHand = backendsAtHand('processes that start without Redis').includes('services')
if (!redisServerOnPath) console.log('skipped: processes that start without Redis (redis-server is not on the PATH)')

const playbook = `format: 1
playbook: greet
alert_type: greet
inputs: { name: { type: string, from: [content.name], required: true } }
steps:
  - { id: end, stop: { outcome: completed, reason: 'Seen {{ inputs.name }}' } }
`

describe.runIf(atHand && redisServerOnPath)('processes that start while Redis is away', () => {
  let installation: Installation
  let redis: RedisServer
  let target: Target
  const running: TocsinProcess[] = []

  beforeAll(async () => {
    installation = newInstallation('services')
    redis = await RedisServer.reserve()
    const folder = join(installation.directory, 'playbooks')
    mkdirSync(folder)
    writeFileSync(join(folder, 'greet.yaml'), playbook)
    for (const command of ['serve', 'worker'] as const)
      running.push(await spawnTocsin(command, { ...installation.environment, TOCSIN_PLAYBOOKS: folder, REDIS_URL: redis.url }, []))
    target = { url: running[0]?.url ?? '', key: installation.adminKey }
  })
  afterAll(async () => {
    for (const tocsin of running) await tocsin.stop()
    await redis?.remove()
    await installation?.remove()
  })

  const post = (name: string): Promise<Answer> =>
    request(target, 'POST', '/platformapi/alerts', {
      alert_content: JSON.stringify({ name }),
      alert_provider: 'EDR',
      organization_code: 'ACME',
      alert_type: 'greet',
    })
  const completed = async ({ alert_uuid: uuid }: Answer): Promise<boolean> =>
    (await request(target, 'GET', `/platformapi/alerts/${uuid}`))['investigation_status'] === 15

  test('acknowledge alerts, report that the queue is not ready, and investigate once Redis is there', async () => {
    await request(target, 'POST', '/platformapi/organizations', { code: 'ACME', name: 'Acme' })
    await request(target, 'POST', '/platformapi/providers', { code: 'EDR', name: 'EDR' })
    const before = await post('ada')
    for (const { url } of running) {
      const ready = await fetch(`${url}/readyz`)
      expect(ready.status).toBe(503)
      const text = await ready.text()
      expect(text).toContain('queue')
      expect((await fetch(`${url}/healthz`)).status).toBe(200)
    }
    await redis.start()
    for (const { url } of running) await until(async () => (await fetch(`${url}/readyz`)).ok)
    const after = await post('bob')
    await until(() => completed(before))
    await until(() => completed(after))
  })
})

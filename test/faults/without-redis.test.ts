import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
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

/** Starts processes whose Redis does not run, with a playbook that calls nothing. */
async function startWithoutRedis(commands: readonly ('up' | 'serve' | 'worker')[]) {
  const installation: Installation = newInstallation('services')
  const redis = await RedisServer.reserve()
  const folder = join(installation.directory, 'playbooks')
  mkdirSync(folder)
  writeFileSync(join(folder, 'greet.yaml'), playbook)
  const running: TocsinProcess[] = []
  for (const command of commands)
    running.push(await spawnTocsin(command, { ...installation.environment, TOCSIN_PLAYBOOKS: folder, REDIS_URL: redis.url }, []))
  const target: Target = { url: running[0]?.url ?? '', key: installation.adminKey }
  await request(target, 'POST', '/platformapi/organizations', { code: 'ACME', name: 'Acme' })
  await request(target, 'POST', '/platformapi/providers', { code: 'EDR', name: 'EDR' })
  return {
    redis,
    running,
    post: (name: string): Promise<Answer> =>
      request(target, 'POST', '/platformapi/alerts', {
        alert_content: JSON.stringify({ name }),
        alert_provider: 'EDR',
        organization_code: 'ACME',
        alert_type: 'greet',
      }),
    completed: async ({ alert_uuid: uuid }: Answer): Promise<boolean> =>
      (await request(target, 'GET', `/platformapi/alerts/${uuid}`))['investigation_status'] === 15,
    async end() {
      for (const tocsin of running) await tocsin.stop()
      await redis.remove()
      await installation.remove()
    },
  }
}

describe.runIf(atHand && redisServerOnPath)('processes that start while Redis is away', () => {
  let end: (() => Promise<void>) | null = null
  afterEach(async () => {
    await end?.()
    end = null
  })

  test('acknowledge alerts, report that the queue is not ready, and investigate once Redis is there', async () => {
    const started = await startWithoutRedis(['serve', 'worker'])
    end = started.end
    const { post, running, redis, completed } = started
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

  test('investigate what they accept themselves, if they are free', async () => {
    const started = await startWithoutRedis(['up'])
    end = started.end
    const posted = await started.post('ada')
    await until(() => started.completed(posted))
  })
})

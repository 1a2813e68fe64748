import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { Refused, request, type Target } from '../../runtime/cli/client.ts'
import { shippedPlugin } from '../support/processes/installation.ts'
import { spawnTocsin, type TocsinProcess } from '../support/processes/tocsin-process.ts'
import { until } from '../support/until.ts'

const key = 'some-key-that-is-long-enough-for-everybody'
let folder: string
let data: string
let environment: NodeJS.ProcessEnv
let log: string[]
let running: TocsinProcess | null = null

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tocsin-taken-'))
  data = join(folder, 'data')
  log = []
  environment = {
    MONGODB_URL: '',
    REDIS_URL: '',
    TOCSIN_DATA: data,
    TOCSIN_ADMIN_KEY: key,
    TOCSIN_PLUGINS: shippedPlugin('mailsec'),
    TOCSIN_PLAYBOOKS: fileURLToPath(new URL('playbooks', import.meta.url)),
  }
})

afterEach(async () => {
  await running?.stop()
  running = null
  rmSync(folder, { recursive: true, force: true })
})

async function start(): Promise<Target> {
  running = await spawnTocsin('up', environment, log)
  return { url: running.url, key }
}

async function post(target: Target): Promise<string> {
  const alert = { alert_content: JSON.stringify({ title: 'x'.repeat(500) }), alert_provider: 'EDR', organization_code: 'ACME' }
  return String((await request(target, 'POST', '/platformapi/alerts', alert))['alert_id'])
}

async function withAlerts(count: number): Promise<{ readonly target: Target; readonly acknowledged: string[] }> {
  const target = await start()
  await request(target, 'POST', '/platformapi/organizations', { code: 'ACME', name: 'Acme' })
  await request(target, 'POST', '/platformapi/providers', { code: 'EDR', name: 'EDR' })
  const acknowledged: string[] = []
  for (let index = 0; index < count; index += 1) acknowledged.push(await post(target))
  return { target, acknowledged }
}

function refusal(error: unknown): Refused {
  expect(error).toBeInstanceOf(Refused)
  return error as Refused
}

test('the database is removed: alerts are refused, readiness and log say why, and a restart brings everything back', async () => {
  const { target, acknowledged } = await withAlerts(50)
  rmSync(join(data, 'tocsin.db'))
  for (let times = 0; times < 3; times += 1)
    expect(refusal(await post(target).catch((error: unknown) => error))).toMatchObject({ status: 503, problem: { code: 'store_unavailable' } })
  const unready = refusal(await request(target, 'GET', '/readyz').catch((error: unknown) => error))
  expect(unready).toMatchObject({ status: 503, problem: { code: 'not_ready', detail: expect.stringContaining('tocsin.db was removed') } })
  await until(async () => log.some((line) => line.includes('copied to')))
  expect(log.join('\n')).toContain(data)
  await running?.kill()

  const next = await start()
  for (const id of acknowledged) expect(await request(next, 'GET', `/platformapi/alerts/${id}`)).toMatchObject({ alert_id: id })
  expect(acknowledged).not.toContain(await post(next))
  expect(await request(next, 'GET', '/readyz')).toMatchObject({ status: 'ready' })
  expect(log.join('\n')).toContain('had everything that was acknowledged')
})

/** Returns a page that every list of alerts reads, and that nothing else writes. */
function pageOfAlerts(): number {
  const database = new DatabaseSync(join(data, 'tocsin.db'), { readOnly: true })
  const [row] = database.prepare("SELECT pageno FROM dbstat WHERE name = 'alerts' AND pagetype = 'leaf' ORDER BY pageno LIMIT 1").all()
  database.close()
  return Number(row?.['pageno'])
}

function overwrite(page: number): void {
  const file = openSync(join(data, 'tocsin.db'), 'r+')
  writeSync(file, Buffer.alloc(4_096, 0x5a), 0, 4_096, (page - 1) * 4_096)
  closeSync(file)
}

test('a page is damaged while no process runs: a start is refused, and says what to do', async () => {
  await withAlerts(200)
  await running?.stop()
  overwrite(pageOfAlerts())
  await expect(start()).rejects.toThrow('ended with 1')
  expect(log.join('\n')).toMatch(/store_damaged/)
  expect(log.join('\n')).toMatch(/Restore a backup/)
})

test('a page is damaged while the process runs: it is not ready, and acknowledges nothing more', async () => {
  const { acknowledged } = await withAlerts(200)
  await running?.stop()
  const target = await start()
  overwrite(pageOfAlerts())
  expect(
    refusal(
      await until(() =>
        post(target).then(
          () => null,
          (error: unknown) => error,
        ),
      ),
    ),
  ).toMatchObject({ status: 503 })
  expect(refusal(await request(target, 'GET', '/readyz').catch((error: unknown) => error))).toMatchObject({ status: 503 })
  expect(log.join('\n')).toContain('tocsin.db')
  expect(acknowledged).toHaveLength(200)
})

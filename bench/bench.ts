import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { type SimulatorProcess, spawnMailsecSimulator } from '../test/support/processes/simulator-process.ts'
import { spawnTocsin } from '../test/support/processes/tocsin-process.ts'
import { Load, type Posted } from './load.ts'

/**
 * `npm run bench [-- --seconds 5] [--only embedded|services|apart]`: starts Tocsin in separate processes, drives it over HTTP, and prints the numbers
 * that the docs claim. It measures MongoDB and Redis if MONGODB_URL and REDIS_URL are set: with all in one process, and with `serve` and
 * `worker` apart.
 */
const { values } = parseArgs({ options: { seconds: { type: 'string', default: '5' }, only: { type: 'string' } } })
const seconds = Number(values.seconds)
const connections = 64
const filler = 'lorem ipsum dolor sit amet consectetur adipiscing elit sed do eiusmod tempor incididunt ut labore et dolore magna aliqua '.repeat(6)

interface Row {
  readonly measure: string
  readonly value: string
}

function alertOf(type: string | null, content: object): string {
  const text = JSON.stringify({ title: 'Bench alert', ...content, note: filler })
  return JSON.stringify({ alert_content: text, alert_provider: 'BENCH', organization_code: 'BENCH', ...(type !== null && { alert_type: type }) })
}

function percentile(sorted: readonly number[], part: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0
}

/** Posts alerts on all connections for some seconds. Returns the acknowledged alerts per second, their number and the last one. */
async function flood(load: Load, body: (index: number) => string, duration: number): Promise<{ rate: number; last: Posted; count: number }> {
  const end = performance.now() + duration * 1000
  const began = performance.now()
  let count = 0
  let last: Posted | null = null
  const one = async (): Promise<void> => {
    while (performance.now() < end) last = await load.post(body(count++))
  }
  await Promise.all(Array.from({ length: connections }, one))
  if (!last) throw new Error('nothing was acknowledged')
  return { rate: count / ((performance.now() - began) / 1000), last, count }
}

async function unfinished(load: Load, type: string): Promise<boolean> {
  const page = (await load.call('GET', `/platformapi/alerts?type=${type}&status=created&status=submitted&status=inprogress&limit=1`)) as {
    items: unknown[]
  }
  return page.items.length > 0
}

async function measure(load: Load, issue: string): Promise<Row[]> {
  const rows: Row[] = []
  const say = (measure: string, value: string): void => {
    rows.push({ measure, value })
    console.log(`  ${measure.padEnd(58)} ${value}`)
  }
  await flood(load, () => alertOf(null, {}), 1)
  const acks = await flood(load, () => alertOf(null, {}), seconds)
  say(`acknowledged alerts a second, ${connections} connections`, acks.rate.toFixed(0))

  const run = (index: number): string => alertOf('bench_run', { issue, act: index % 2 === 0 })
  await flood(load, run, 1)
  while (await unfinished(load, 'bench_run')) await new Promise((resolve) => setTimeout(resolve, 100))
  const began = performance.now()
  const runs = await flood(load, run, seconds)
  while (await unfinished(load, 'bench_run')) await new Promise((resolve) => setTimeout(resolve, 50))
  say('whole runs a second (two HTTPS calls and a condition)', (runs.count / ((performance.now() - began) / 1000)).toFixed(0))
  say('  acknowledged a second meanwhile', runs.rate.toFixed(0))

  const times: number[] = []
  for (let index = 0; index < 220; index++) {
    const at = performance.now()
    const alert = (await load.call('POST', '/platformapi/alerts', JSON.parse(run(index)), { prefer: 'wait=10' })) as Posted
    if (alert.investigation_status !== 15) throw new Error(`a run ended with ${alert.investigation_status}`)
    if (index >= 20) times.push(performance.now() - at)
  }
  times.sort((a, b) => a - b)
  say('POST to the end, one alert at a time', `${percentile(times, 0.5).toFixed(1)} ms (95 %: ${percentile(times, 0.95).toFixed(1)} ms)`)

  const steps = alertOf('bench_steps', { issue, items: Array.from({ length: 100 }, (_, index) => index) })
  const costs: number[] = []
  for (let index = 0; index < 25; index++) {
    const at = performance.now()
    const alert = (await load.call('POST', '/platformapi/alerts', JSON.parse(steps), { prefer: 'wait=30' })) as Posted
    if (alert.investigation_status !== 15) throw new Error(`a run ended with ${alert.investigation_status}`)
    if (index >= 5) costs.push((performance.now() - at) / 100)
  }
  costs.sort((a, b) => a - b)
  say('a journaled step in a run of 100, its HTTPS call included', `${percentile(costs, 0.5).toFixed(2)} ms`)
  return rows
}

const titles = {
  embedded: 'Embedded store and queue',
  services: 'MongoDB and Redis',
  apart: 'MongoDB and Redis, serve and worker apart',
} as const

async function bench(name: keyof typeof titles, simulator: SimulatorProcess, folder: string): Promise<void> {
  const services = name !== 'embedded'
  console.log(`\n${titles[name]}`)
  const key = `bench-${randomBytes(24).toString('hex')}`
  const environment: NodeJS.ProcessEnv = {
    TOCSIN_DATA: join(folder, name),
    TOCSIN_ADMIN_KEY: key,
    TOCSIN_PLAYBOOKS: fileURLToPath(new URL('playbooks', import.meta.url)),
    TOCSIN_CA_FILE: simulator.ca,
    TOCSIN_EGRESS_ALLOW: '127.0.0.1',
    TOCSIN_LOG_LEVEL: 'warn',
    MONGODB_URL: services ? (process.env['MONGODB_URL'] ?? '').replace(/\/(\?|$)/, `/tocsin_bench_${randomBytes(4).toString('hex')}$1`) : '',
    REDIS_URL: services ? process.env['REDIS_URL'] : '',
  }
  const tocsin = await spawnTocsin(name === 'apart' ? 'serve' : 'up', environment)
  const worker = name === 'apart' ? await spawnTocsin('worker', environment) : null
  const load = new Load(tocsin.url, key, connections)
  try {
    await load.call('POST', '/platformapi/organizations', { code: 'BENCH', name: 'Bench' })
    await load.call('POST', '/platformapi/providers', { code: 'BENCH', name: 'Bench' })
    const credentials = { base_url: simulator.url, api_token: simulator.token }
    await load.call('POST', '/platformapi/connections', { instance: 'bench', integration: 'mailsec', organization_code: 'BENCH', credentials })
    await measure(load, await firstIssue(simulator))
  } finally {
    await load.close()
    await worker?.stop()
    await tocsin.stop()
  }
}

/** Fetches an issue from the simulator, as the connector does. */
async function firstIssue({ url, ca, token }: SimulatorProcess): Promise<string> {
  const { Agent, request } = await import('undici')
  const { readFileSync } = await import('node:fs')
  const dispatcher = new Agent({ connect: { ca: readFileSync(ca, 'utf8') } })
  const answer = await request(`${url}/api/v1/issues?status=open&limit=1`, { dispatcher, headers: { 'x-vendor-client-secret': token } })
  const { items } = (await answer.body.json()) as { items: { id: string }[] }
  await dispatcher.close()
  return items[0]?.id ?? ''
}

const folder = mkdtempSync(join(tmpdir(), 'tocsin-bench-'))
try {
  const simulator = await spawnMailsecSimulator(join(folder, 'pki'))
  console.log(`Node ${process.version}, ${cpus().length} cores (${cpus()[0]?.model.trim()}); load, simulator and Tocsin on one machine; 1 KB alerts`)
  const wanted = (['embedded', 'services', 'apart'] as const).filter((name) => values.only === undefined || values.only === name)
  const atHand = process.env['MONGODB_URL'] && process.env['REDIS_URL']
  for (const name of wanted) {
    if (name === 'embedded' || atHand) await bench(name, simulator, folder)
    else console.log(`\nskipped: ${titles[name]} (MONGODB_URL and REDIS_URL are not set)`)
  }
  await simulator.stop()
} finally {
  rmSync(folder, { recursive: true, force: true })
}

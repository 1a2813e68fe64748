import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { processorTimeOf } from '../runtime/subprocess/processor-time.ts'
import { spawnTocsin } from '../test/support/processes/tocsin-process.ts'

/**
 * `node bench/startup.ts [--starts 5] [--only embedded|services|apart]`: how long processes take until they listen, with the shipped plugins
 * and playbooks. The first start of a data folder imports them. The others find everything as it was. It measures MongoDB and Redis if
 * MONGODB_URL and REDIS_URL are set: with all in one process, and with `serve` and `worker` apart, one after the other. Prints JSON. Linux.
 */
const { values } = parseArgs({ options: { starts: { type: 'string', default: '5' }, only: { type: 'string' } } })
const kinds = ['embedded', 'services', 'apart'] as const
type Kind = (typeof kinds)[number]

/** One start. Both in milliseconds; the processor time is that of all threads. */
interface Start {
  readonly wall: number
  readonly processor: number
}

async function startOnce(kind: Kind, environment: NodeJS.ProcessEnv): Promise<Start> {
  const total = { wall: 0, processor: 0 }
  for (const command of kind === 'apart' ? (['serve', 'worker'] as const) : (['up'] as const)) {
    const began = performance.now()
    const started = await spawnTocsin(command, environment)
    total.wall += performance.now() - began
    total.processor += processorTimeOf(started.child.pid ?? 0) ?? 0
    await started.stop()
  }
  return total
}

function median(numbers: readonly number[]): number {
  return Math.round(numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0)
}

async function measure(kind: Kind): Promise<object> {
  const folder = mkdtempSync(join(tmpdir(), 'tocsin-startup-'))
  const services = kind !== 'embedded'
  const environment: NodeJS.ProcessEnv = {
    TOCSIN_DATA: folder,
    TOCSIN_ADMIN_KEY: randomBytes(24).toString('hex'),
    TOCSIN_VAULT_KEY: randomBytes(32).toString('base64'),
    TOCSIN_LOG_LEVEL: 'warn',
    MONGODB_URL: services ? (process.env['MONGODB_URL'] ?? '').replace(/\/(\?|$)/, `/tocsin_bench_${randomBytes(4).toString('hex')}$1`) : '',
    REDIS_URL: services ? process.env['REDIS_URL'] : '',
  }
  try {
    const first = await startOnce(kind, environment)
    const again: Start[] = []
    for (let index = 0; index < Number(values.starts); index++) again.push(await startOnce(kind, environment))
    return {
      first: { wall_ms: Math.round(first.wall), processor_ms: first.processor },
      again: { wall_ms: median(again.map(({ wall }) => wall)), processor_ms: median(again.map(({ processor }) => processor)) },
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const atHand = kinds.filter((kind) => kind === 'embedded' || (process.env['MONGODB_URL'] && process.env['REDIS_URL']))
const results: Partial<Record<Kind, object>> = {}
for (const kind of atHand) if (values.only === undefined || values.only === kind) results[kind] = await measure(kind)
const machine = {
  node: process.version,
  cores: cpus().length,
  model: cpus()[0]?.model.trim() ?? '',
  load: loadavg().map((load) => Number(load.toFixed(1))),
}
console.log(JSON.stringify({ machine, starts: Number(values.starts), ...results }, null, 2))

import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { processorTimeOf } from '../runtime/subprocess/processor-time.ts'
import { checkOut } from './table/checkout.ts'
import { thisMachine } from './table/machine.ts'
import { median } from './table/median.ts'
import { type Spawn, spawnOf, workingTree } from './table/tocsin.ts'

/**
 * `node bench/startup.ts [--starts 5] [--only embedded|services|apart] [--compare REF]`: how long processes take until they listen, with the shipped plugins
 * and playbooks. The first start of a data folder imports them. The others find everything as it was. It measures MongoDB and Redis if
 * MONGODB_URL and REDIS_URL are set: with all in one process, and with `serve` and `worker` apart, one after the other. `--compare` starts
 * another commit in turn, and has the medians of the pairs' quotients. Prints JSON. Linux.
 */
const { values } = parseArgs({ options: { starts: { type: 'string', default: '5' }, only: { type: 'string' }, compare: { type: 'string' } } })
const kinds = ['embedded', 'services', 'apart'] as const
type Kind = (typeof kinds)[number]

/** One start. Both in milliseconds; the processor time is that of all threads. */
interface Start {
  readonly wall: number
  readonly processor: number
}

async function startOnce(spawn: Spawn, kind: Kind, environment: NodeJS.ProcessEnv): Promise<Start> {
  const total = { wall: 0, processor: 0 }
  for (const command of kind === 'apart' ? (['serve', 'worker'] as const) : (['up'] as const)) {
    const began = performance.now()
    const started = await spawn(command, environment)
    total.wall += performance.now() - began
    total.processor += processorTimeOf(started.child.pid ?? 0) ?? 0
    await started.stop()
  }
  return total
}

/** One source, with a data folder of its own. */
interface Side {
  readonly spawn: Spawn
  readonly environment: NodeJS.ProcessEnv
  readonly again: Start[]
}

function environmentOf(kind: Kind, folder: string): NodeJS.ProcessEnv {
  const services = kind !== 'embedded'
  return {
    TOCSIN_DATA: folder,
    TOCSIN_ADMIN_KEY: randomBytes(24).toString('hex'),
    TOCSIN_VAULT_KEY: randomBytes(32).toString('base64'),
    TOCSIN_LOG_LEVEL: 'warn',
    MONGODB_URL: services ? (process.env['MONGODB_URL'] ?? '').replace(/\/(\?|$)/, `/tocsin_bench_${randomBytes(4).toString('hex')}$1`) : '',
    REDIS_URL: services ? process.env['REDIS_URL'] : '',
  }
}

/** Returns the times of the first start and the medians of the next ones, for each checkout; and of two, how the next starts compare. */
async function measure(kind: Kind, checkouts: readonly string[]): Promise<object> {
  const folders = checkouts.map(() => mkdtempSync(join(tmpdir(), 'tocsin-startup-')))
  try {
    const sides: Side[] = []
    for (const [index, checkout] of checkouts.entries())
      sides.push({ spawn: await spawnOf(checkout), environment: environmentOf(kind, folders[index] ?? ''), again: [] })
    const first: Start[] = []
    for (const { spawn, environment } of sides) first.push(await startOnce(spawn, kind, environment))
    for (let start = 0; start < Number(values.starts); start++)
      for (const { spawn, environment, again } of start % 2 === 0 ? sides : sides.toReversed()) again.push(await startOnce(spawn, kind, environment))
    const rounded = ({ wall, processor }: Start): object => ({ wall_ms: Math.round(wall), processor_ms: Math.round(processor) })
    const middle = (starts: readonly Start[]): Start => ({
      wall: median(starts.map(({ wall }) => wall)),
      processor: median(starts.map(({ processor }) => processor)),
    })
    const found = sides.map(({ again }, index) => ({ first: rounded(first[index] ?? middle(again)), again: rounded(middle(again)) }))
    const [own, other] = sides
    if (!own || !other) return found[0] ?? {}
    const quotient = (of: (start: Start) => number): number =>
      Number(median(own.again.map((start, index) => of(start) / of(other.again[index] ?? start))).toFixed(2))
    return {
      this: found[0],
      other: found[1],
      again_this_by_other: { wall: quotient(({ wall }) => wall), processor: quotient(({ processor }) => processor) },
    }
  } finally {
    for (const folder of folders) rmSync(folder, { recursive: true, force: true })
  }
}

const atHand = kinds.filter((kind) => kind === 'embedded' || (process.env['MONGODB_URL'] && process.env['REDIS_URL']))
const results: Partial<Record<Kind, object>> = {}
const other = values.compare === undefined ? null : checkOut(values.compare)
try {
  const checkouts = [workingTree, ...(other ? [other.folder] : [])]
  for (const kind of atHand) if (values.only === undefined || values.only === kind) results[kind] = await measure(kind, checkouts)
} finally {
  other?.remove()
}
console.log(JSON.stringify({ machine: thisMachine(), starts: Number(values.starts), ...(other && { other: other.commit }), ...results }, null, 2))

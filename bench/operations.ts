import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { spawnTocsin, type TocsinProcess } from '../test/support/processes/tocsin-process.ts'
import { Load, type Posted } from './load.ts'
import { MongoProxy, type Operation } from './mongo-proxy.ts'

/**
 * Lists the commands that one run of an empty playbook sends to MongoDB, from the POST to the last write, and the longest chain of commands
 * of which each waited for the one before.
 * `node bench/operations.ts [--json] [--processes 1|2] [--idle 0] [--runs 9] [--delay 10]`, with MONGODB_URL and REDIS_URL
 *
 * What comes 250 ms later for all runs together is not listed: it removes the marks of ended runs (decision 85).
 *
 * `--processes 2` is `serve` and `worker`. `--idle 3000` waits so many milliseconds before each run, so that short-lived caches are empty. The
 * result is the run with the fewest commands, because now and then the sweeper or a heartbeat falls into one.
 */
const { values } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    processes: { type: 'string', default: '1' },
    idle: { type: 'string', default: '0' },
    runs: { type: 'string', default: '9' },
    delay: { type: 'string', default: '10' },
  },
})
const [runs, delay, idle] = [Number(values.runs), Number(values.delay), Number(values.idle)]
/** How long no command may come before a run counts as over. Milliseconds. */
const quiet = 20 * delay
/** How many runs may be interrupted in a row, because the machine is busy. */
const mostTries = 10
/** Collections that only the sweeper and the heartbeat read while an empty run goes on. `1`: the check for dropped collections. */
const background: ReadonlySet<string> = new Set(['sessions', 'decisions', '1'])

interface Listed {
  readonly command: string
  readonly collection: string
  readonly items: number
  /** How many commands had to be answered before this one was sent. */
  readonly depth: number
  /** When it was sent, in milliseconds since the POST. */
  readonly at: number
}

interface Measured {
  readonly operations: number
  /** The longest chain of commands that waited for one another. */
  readonly chain: number
  /** Processor time of Tocsin for a run, in milliseconds: the mean of all runs. */
  readonly cpu: number
  readonly list: readonly Listed[]
}

function listed(operations: readonly Operation[], from: number): Listed[] {
  const depths: { readonly ended: number; readonly depth: number }[] = []
  return operations.map(({ command, collection, items, began, ended }) => {
    const depth = Math.max(0, ...depths.filter((one) => one.ended <= began).map((one) => one.depth)) + 1
    depths.push({ ended: ended ?? Number.POSITIVE_INFINITY, depth })
    return { command, collection, items, depth, at: Math.round(began - from) }
  })
}

/** Reads the processor time of a process so far, in milliseconds. Linux only; elsewhere 0. */
function processorTime({ child }: TocsinProcess): number {
  try {
    const fields = readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
    return (Number(fields[11]) + Number(fields[12])) * 10
  } catch {
    return 0
  }
}

async function settled(proxy: MongoProxy): Promise<void> {
  for (;;) {
    const last = Math.max(0, ...proxy.operations.filter(isOfRun).map(({ ended }) => ended ?? performance.now()))
    const left = last + quiet - performance.now()
    if (left <= 0) return
    await new Promise((resolve) => setTimeout(resolve, left))
  }
}

function isOfRun({ collection }: Operation): boolean {
  return !background.has(collection)
}

async function measure(load: Load, proxy: MongoProxy, processes: readonly TocsinProcess[]): Promise<Measured> {
  const alert = { alert_content: '{"title":"Bench"}', alert_provider: 'BENCH', organization_code: 'BENCH', alert_type: 'bench_empty' }
  /** Returns null if the commands paused for so long that the list ends before the run did. */
  const tryOne = async (): Promise<readonly Listed[] | null> => {
    await settled(proxy)
    await new Promise((resolve) => setTimeout(resolve, idle))
    proxy.operations.length = 0
    const from = performance.now()
    const posted = (await load.call('POST', '/platformapi/alerts', alert)) as Posted
    await settled(proxy)
    const list = listed(proxy.operations.filter(isOfRun), from)
    const { investigation_status: status } = (await load.call('GET', `/platformapi/alerts/${posted.alert_id}`)) as Posted
    if (status === 20) throw new Error('a run failed')
    return status === 15 ? list : null
  }
  const one = async (): Promise<readonly Listed[]> => {
    for (let tries = 0; tries < mostTries; tries++) {
      const list = await tryOne()
      if (list) return list
    }
    throw new Error(`${mostTries} runs in a row took too long`)
  }
  for (let run = 0; run < 3; run++) await one()
  const before = processes.reduce((sum, each) => sum + processorTime(each), 0)
  const all = []
  for (let run = 0; run < runs; run++) all.push(await one())
  const cpu = (processes.reduce((sum, each) => sum + processorTime(each), 0) - before) / runs
  const [fewest] = all.toSorted((a, b) => a.length - b.length)
  if (!fewest) throw new Error('--runs must be 1 or more')
  return { operations: fewest.length, chain: Math.max(0, ...fewest.map(({ depth }) => depth)), cpu, list: fewest }
}

function print({ operations, chain, cpu, list }: Measured): void {
  console.log('   #  waits for  at     command          collection       items')
  for (const [index, { command, collection, items, depth, at }] of list.entries())
    console.log(
      `  ${String(index + 1).padStart(2)}  ${String(depth - 1).padStart(9)}  ${String(at).padStart(4)}   ${command.padEnd(15)}  ${collection.padEnd(15)}  ${items}`,
    )
  console.log(`${operations} commands, longest chain ${chain}, ${cpu.toFixed(1)} ms of processor time a run`)
}

const url = new URL(process.env['MONGODB_URL'] ?? 'mongodb://127.0.0.1:27017')
const folder = mkdtempSync(join(tmpdir(), 'tocsin-operations-'))
const proxy = new MongoProxy({ host: url.hostname, port: Number(url.port || 27017) }, delay)
const processes: TocsinProcess[] = []
try {
  const key = `bench-${randomBytes(24).toString('hex')}`
  const environment: NodeJS.ProcessEnv = {
    TOCSIN_DATA: folder,
    TOCSIN_ADMIN_KEY: key,
    TOCSIN_PLAYBOOKS: fileURLToPath(new URL('playbooks', import.meta.url)),
    TOCSIN_LOG_LEVEL: 'warn',
    // Without a name of the set, the driver stays with this one address.
    MONGODB_URL: `mongodb://127.0.0.1:${await proxy.listen()}/tocsin_bench_${randomBytes(4).toString('hex')}?directConnection=true`,
    REDIS_URL: process.env['REDIS_URL'],
  }
  for (const command of values.processes === '2' ? (['serve', 'worker'] as const) : (['up'] as const))
    processes.push(await spawnTocsin(command, environment))
  const load = new Load(processes[0]?.url ?? '', key, 1)
  await load.call('POST', '/platformapi/organizations', { code: 'BENCH', name: 'Bench' })
  await load.call('POST', '/platformapi/providers', { code: 'BENCH', name: 'Bench' })
  const measured = await measure(load, proxy, processes)
  if (values.json) console.log(JSON.stringify(measured, null, 2))
  else print(measured)
  await load.close()
} finally {
  for (const process of processes.toReversed()) await process.stop()
  proxy.close()
  rmSync(folder, { recursive: true, force: true })
}

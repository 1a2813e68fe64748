import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { startAgent } from './agents/agent.ts'
import { openRuntime, type Runtime, type Way } from './agents/runtime.ts'
import { startChild } from './table/child.ts'
import { thisMachine } from './table/machine.ts'
import { median } from './table/median.ts'
import { peakMemory, processorTime } from './usage.ts'

/**
 * `node bench/agents.ts [--rounds 3] [--megabytes 500] [--calls 10000] [--json]`: compares calls through a remote agent with direct ones, in
 * alternated rounds. The agent, the system that it reaches and the runtime are three processes of this machine. Linux only.
 */
const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    megabytes: { type: 'string', default: '500' },
    calls: { type: 'string', default: '10000' },
    json: { type: 'boolean', default: false },
  },
})
const [rounds, megabytes, calls] = [Number(values.rounds), Number(values.megabytes), Number(values.calls)]
/** Long calls beside the largest one. */
const longCalls = 100
const longMegabytes = 5

interface Measured {
  /** Short calls a second, 64 at once. */
  readonly short: number
  /** MB a second of one large answer. */
  readonly log: number
  /** Seconds for all of it at once. */
  readonly all: number
  /** Processor milliseconds of the runtime, and of the agent, for 1 MB of the large answer. */
  readonly processor: readonly number[]
}

const folder = mkdtempSync(join(tmpdir(), 'tocsin-bench-'))
const pathOf = (file: string): string => fileURLToPath(new URL(file, import.meta.url))
const system = await startChild<{ readonly url: string; readonly ca: string }>(pathOf('agents/system.ts'), [folder])
const { url, ca } = system.told
const runtime = await openRuntime(url, ca)
const agent = await startAgent({ url: runtime.address, token: runtime.token, system: url, keyFile: join(folder, 'key.pem') })
await runtime.connected()

async function seconds(act: () => Promise<unknown>): Promise<number> {
  const at = performance.now()
  await act()
  return (performance.now() - at) / 1_000
}

async function measure(runtime: Runtime, way: Way): Promise<Measured> {
  await runtime.short(way, 500, 64)
  const short = calls / (await seconds(() => runtime.short(way, calls, 64)))
  const used = (): readonly number[] => [process.pid, agent.pid].map(processorTime)
  const before = used()
  const log = megabytes / (await seconds(() => runtime.log(way, megabytes)))
  const processor = used().map((one, at) => (one - (before[at] ?? 0)) / megabytes)
  const all = await seconds(() =>
    Promise.all([
      runtime.log(way, megabytes),
      ...Array.from({ length: longCalls }, () => runtime.log(way, longMegabytes)),
      runtime.short(way, calls, 64),
    ]),
  )
  return { short, log, all, processor }
}

try {
  const found: Record<Way, Measured[]> = { direct: [], agent: [] }
  for (let round = 1; round <= rounds; round += 1)
    for (const way of ['direct', 'agent'] as const) {
      const one = await measure(runtime, way)
      found[way].push(one)
      if (!values.json)
        console.log(
          `round ${round}, ${way.padEnd(6)}  ${one.short.toFixed(0)} short calls/s   ${one.log.toFixed(0)} MB/s   all at once ${one.all.toFixed(1)} s   ${one.processor.map((each) => each.toFixed(1)).join(' + ')} ms of processor for 1 MB (runtime + agent)`,
        )
    }
  const of = (way: Way, name: 'short' | 'log' | 'all'): number => median(found[way].map((one) => one[name]))
  const result = {
    machine: thisMachine(),
    ratios: {
      short: of('agent', 'short') / of('direct', 'short'),
      log: of('agent', 'log') / of('direct', 'log'),
      all: of('direct', 'all') / of('agent', 'all'),
    },
    agentPeakMb: peakMemory(agent.pid),
    runtimePeakMb: peakMemory(process.pid),
    rounds: found,
  }
  if (values.json) console.log(JSON.stringify(result))
  else {
    const { short, log, all } = result.ratios
    console.log(`through the agent, of direct: ${short.toFixed(2)} short calls, ${log.toFixed(2)} one large answer, ${all.toFixed(2)} all at once`)
    console.log(`most memory: agent ${result.agentPeakMb.toFixed(0)} MB, runtime ${result.runtimePeakMb.toFixed(0)} MB`)
  }
} finally {
  await runtime.close()
  await agent.stop()
  await system.stop()
  rmSync(folder, { recursive: true, force: true })
}

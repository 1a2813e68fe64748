import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import type { Load, Posted } from './load.ts'
import { startChild } from './table/child.ts'
import { thisMachine } from './table/machine.ts'
import type { Subject, SystemAddress } from './table/subject.ts'
import { newInstallation, setUp, startInstalled, workingTree } from './table/tocsin.ts'
import { countIn } from './table/wanted.ts'
import { processorTime, residentMemory, withChildren } from './usage.ts'

/**
 * `node bench/many.ts [--types 1000] [--alerts 2000]`: compares many alert types with ten, on the embedded store. After `--alerts` alerts it
 * measures memory, open files and connections, and the processor time of an idle process. Prints JSON. Linux. `bench/flood.ts` has a flood of one.
 */
const { values } = parseArgs({
  options: { types: { type: 'string', default: '1000' }, alerts: { type: 'string', default: '2000' } },
})
const [types, alerts] = [countIn('types', values.types), countIn('alerts', values.alerts)]
const few = 10
/** How many alerts are on their way at once. */
const atOnce = 32
/** How long the processor time at rest is measured. */
const restSeconds = 5

const typeOf = (index: number): string => `many_${index}`

function writePlaybooks(folder: string, count: number): void {
  mkdirSync(folder)
  for (let index = 0; index < count; index += 1) {
    const steps = 'steps:\n  - id: nothing\n    set: { done: true }\n'
    const text = `format: 1\nplaybook: many-${index}\nalert_type: ${typeOf(index)}\ncase: { title: Many, severity: low }\n${steps}`
    writeFileSync(join(folder, `many-${index}.yaml`), text)
  }
}

/** Posts one alert and waits until its run has ended. */
async function investigate(load: Load, type: string): Promise<void> {
  const body = { alert_content: '{"title":"Many"}', alert_provider: 'BENCH', organization_code: 'BENCH', alert_type: type }
  const { investigation_status: status } = (await load.call('POST', '/platformapi/alerts', body, { prefer: 'wait=60' })) as Posted
  if (status !== 15) throw new Error(`a run of ${type} ended with the status ${status}`)
}

interface Cost {
  readonly memoryMb: number
  /** Files, sockets and other descriptors. */
  readonly descriptors: number
  /** Processor time in a second without work, in milliseconds: mostly timers. */
  readonly atRest: number
}

async function costOf({ load, processes }: Subject, count: number): Promise<Cost> {
  await load.call('GET', '/platformapi/alerts?limit=1')
  let next = 0
  const some = async (): Promise<void> => {
    while (next < alerts) await investigate(load, typeOf(next++ % count))
  }
  await Promise.all(Array.from({ length: atOnce }, some))
  const all = processes.flatMap(withChildren)
  const sumOf = (value: (pid: number) => number): number => all.reduce((sum, pid) => sum + value(pid), 0)
  await sleep(2_000)
  const before = sumOf(processorTime)
  await sleep(restSeconds * 1_000)
  return {
    atRest: (sumOf(processorTime) - before) / restSeconds,
    descriptors: sumOf((pid) => readdirSync(`/proc/${pid}/fd`).length),
    memoryMb: Math.round(sumOf(residentMemory)),
  }
}

const folder = mkdtempSync(join(tmpdir(), 'tocsin-many-'))
const system = await startChild<SystemAddress>(fileURLToPath(new URL('system.ts', import.meta.url)), [join(folder, 'pki')])
try {
  const costs: Cost[] = []
  for (const count of [few, types]) {
    const playbooks = join(folder, `playbooks-${count}`)
    writePlaybooks(playbooks, count)
    const installation = newInstallation('embedded', { system: system.told, folder: join(folder, String(count)) })
    const withPlaybooks = { ...installation, environment: { ...installation.environment, TOCSIN_PLAYBOOKS: playbooks } }
    // The first start imports the playbooks, which takes memory of its own. The second one is measured.
    const first = await startInstalled(withPlaybooks, workingTree)
    await setUp(first, system.told)
    await first.stop()
    const subject = await startInstalled(withPlaybooks, workingTree)
    try {
      costs.push(await costOf(subject, count))
    } finally {
      await subject.stop()
    }
  }
  const [ofFew, ofMany] = costs
  console.log(JSON.stringify({ machine: thisMachine(), alerts, types: { [few]: ofFew, [types]: ofMany } }, null, 2))
} finally {
  await system.stop()
  rmSync(folder, { recursive: true, force: true })
}

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import type { Load, Posted } from './load.ts'
import { startChild } from './table/child.ts'
import { thisMachine } from './table/machine.ts'
import { median } from './table/median.ts'
import type { SystemAddress } from './table/subject.ts'
import { type Installation, newInstallation, type Started, setUp, startInstalled, workingTree } from './table/tocsin.ts'
import { countIn } from './table/wanted.ts'
import { peakMemory, processorTime, residentMemory, withChildren } from './usage.ts'

/**
 * `node bench/loop.ts [--items 5000] [--rounds 3]`: one run with a loop of so many items, beside a tenth of them, on the embedded store. Its steps
 * call nothing, or read over HTTPS. Measures memory, the time for an item in the first tenth and in the rest, the page of the run, and how
 * it goes on after `kill -9` in its middle. Prints JSON. Linux.
 */
const { values } = parseArgs({ options: { items: { type: 'string', default: '5000' }, rounds: { type: 'string', default: '3' } } })
const [items, rounds] = [countIn('items', values.items), countIn('rounds', values.rounds)]
const few = Math.ceil(items / 10)

const steps = {
  nothing: '      - id: keep\n        set: { last: "{{ number }}" }',
  reads: '      - id: enrich\n        skill: bench.enrich\n        with: { item: "{{ number }}" }',
}
type Kind = keyof typeof steps
const kinds = ['nothing', 'reads'] as const satisfies readonly Kind[]

function playbookOf(kind: Kind): string {
  return `format: 1
playbook: loop-${kind}
alert_type: loop_${kind}
inputs:
  items: { type: array, items: { type: string }, from: [content.items], required: true }
connections:
  system: { integration: bench }
case: { title: Loop, severity: low }
limits: { steps: 100000 }
steps:
  - id: each
    foreach: "{{ inputs.items }}"
    as: number
    max_items: 10000
    steps:
${steps[kind]}
`
}

function alertOf(kind: Kind, count: number): object {
  const content = { items: Array.from({ length: count }, (_, index) => `item-${index}`) }
  return { alert_content: JSON.stringify(content), alert_provider: 'BENCH', organization_code: 'BENCH', alert_type: `loop_${kind}` }
}

/** The status of an alert whose run is done. */
const done = 15

/** Waits for the end of a run. @throws if it failed */
async function ended(load: Load, uuid: string): Promise<void> {
  for (;;) {
    const { investigation_status: status } = (await load.call('GET', `/platformapi/alerts/${uuid}`)) as Posted
    if (status === done) return
    if (status > done) throw new Error(`the run ended with the status ${status}`)
    await sleep(5)
  }
}

interface Cost {
  readonly time: number
  readonly processor: number
}

const sumOf = ({ processes }: Started, value: (pid: number) => number): number =>
  processes.flatMap(withChildren).reduce((sum, pid) => sum + value(pid), 0)

/** Executes one run. Both times in milliseconds. */
async function run(subject: Started, kind: Kind, count: number): Promise<Cost> {
  const body = JSON.stringify(alertOf(kind, count))
  const [at, used] = [performance.now(), sumOf(subject, processorTime)]
  const { alert_uuid: uuid } = await subject.load.post(body)
  await ended(subject.load, uuid)
  return { time: performance.now() - at, processor: sumOf(subject, processorTime) - used }
}

interface Large extends Cost {
  /** In MB: before these runs, and the most. */
  readonly memory: { readonly before: number; readonly most: number }
  /** The time for pages of the run, in milliseconds. */
  readonly pages: Readonly<Record<string, number>>
}

/** What a process needs that executes runs of so many items. */
async function large(installation: Installation, kind: Kind, count: number): Promise<Large> {
  const subject = await startInstalled(installation, workingTree)
  try {
    for (let n = 0; n < 3; n += 1) await run(subject, kind, few)
    const before = sumOf(subject, residentMemory)
    const all: Cost[] = []
    for (let round = 0; round < rounds; round += 1) {
      all.push(await run(subject, kind, count))
    }
    const memory = { before: Math.round(before), most: Math.round(sumOf(subject, peakMemory)) }
    const { items: found } = (await subject.load.call('GET', '/platformapi/runs?limit=1')) as { items: readonly { run_id: string }[] }
    const pages: Record<string, number> = {}
    for (const path of ['', '/steps?limit=100', '/graph']) {
      const at = performance.now()
      await subject.load.call('GET', `/platformapi/runs/${found[0]?.run_id}${path}`)
      pages[path === '' ? 'run' : path.slice(1)] = Math.round(performance.now() - at)
    }
    return { time: median(all.map(({ time }) => time)), processor: median(all.map(({ processor }) => processor)), memory, pages }
  } finally {
    await subject.stop()
  }
}

/** Returns how many steps a run has done. The API replays the run over its journal for this. */
async function stepsOf(load: Load, uuid: string): Promise<number> {
  return ((await load.call('GET', `/platformapi/runs/${uuid}-r1/steps?limit=1`)) as { readonly total: number }).total
}

interface Killed extends Cost {
  /** Steps that were done before the kill, and when the next process listened. */
  readonly before: number
  readonly after: number
}

/** Kills the process in the middle of a run that reads. Returns how long the rest takes from when the next process listens. */
async function killed(installation: Installation): Promise<Killed> {
  const first = await startInstalled(installation, workingTree)
  const { alert_uuid: uuid } = await first.load.post(JSON.stringify(alertOf('reads', items)))
  let before = 0
  for (; before < items / 2; await sleep(20)) before = await stepsOf(first.load, uuid).catch(() => 0)
  for (const pid of first.processes) process.kill(pid, 'SIGKILL')
  await first.stop()
  const next = await startInstalled(installation, workingTree)
  try {
    const after = await stepsOf(next.load, uuid)
    const [at, used] = [performance.now(), sumOf(next, processorTime)]
    await ended(next.load, uuid)
    return { before, after, time: performance.now() - at, processor: sumOf(next, processorTime) - used }
  } finally {
    await next.stop()
  }
}

const folder = mkdtempSync(join(tmpdir(), 'tocsin-loop-'))
const system = await startChild<SystemAddress>(fileURLToPath(new URL('system.ts', import.meta.url)), [join(folder, 'pki')])
try {
  const playbooks = join(folder, 'playbooks')
  mkdirSync(playbooks)
  for (const kind of kinds) writeFileSync(join(playbooks, `loop-${kind}.yaml`), playbookOf(kind))
  const made = newInstallation('embedded', { system: system.told, folder })
  const installation = { ...made, environment: { ...made.environment, TOCSIN_PLAYBOOKS: playbooks } }
  const first = await startInstalled(installation, workingTree)
  await setUp(first, system.told)
  await first.stop()
  const results: Record<string, object> = {}
  for (const kind of kinds) {
    const [small, whole] = [await large(installation, kind, few), await large(installation, kind, items)]
    const perItem = { start: small.time / few, rest: (whole.time - small.time) / (items - few) }
    const processorPerItem = { start: small.processor / few, rest: (whole.processor - small.processor) / (items - few) }
    results[kind] = { [few]: small, [items]: whole, perItem, processorPerItem }
  }
  console.log(JSON.stringify({ machine: thisMachine(), items, ...results, afterKill: await killed(installation) }, null, 2))
} finally {
  await system.stop()
  rmSync(folder, { recursive: true, force: true })
}

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { fillEmbedded } from './growth/embedded.ts'
import { investigate } from './growth/originals.ts'
import { measurePages, type TimedPage } from './growth/pages.ts'
import { progressOf } from './growth/progress.ts'
import { startChild } from './table/child.ts'
import { flood } from './table/drive.ts'
import { thisMachine } from './table/machine.ts'
import { median } from './table/median.ts'
import type { Subject, SystemAddress } from './table/subject.ts'
import { type Installation, newInstallation, setUp, startInstalled, workingTree } from './table/tocsin.ts'
import { countIn } from './table/wanted.ts'
import { peakMemory, processorTime, withChildren } from './usage.ts'

/**
 * `node bench/growth.ts [--alerts 1000000] [--rounds 2] [--seconds 5] [--pages 200] [--json FILE] [--keep FOLDER]`: compares a
 * large embedded store with an empty one. First, Tocsin investigates one alert of each kind. The program then copies the rows of those alerts,
 * about ten journal entries each, into the tables of the store. Each round measures both stores: runs a second, and memory. The last round
 * also measures pages of lists. Linux.
 */
const { values } = parseArgs({
  options: {
    alerts: { type: 'string', default: '1000000' },
    rounds: { type: 'string', default: '2' },
    seconds: { type: 'string', default: '5' },
    pages: { type: 'string', default: '200' },
    json: { type: 'string' },
    keep: { type: 'string' },
  },
})
const alerts = countIn('alerts', values.alerts)
const [rounds, seconds, pages] = [countIn('rounds', values.rounds), countIn('seconds', values.seconds), countIn('pages', values.pages)]
const folder = values.keep ?? mkdtempSync(join(tmpdir(), 'tocsin-growth-'))
/** How far apart the stored alerts are, in milliseconds. */
const apart = 1_000

interface Measured {
  readonly runsPerSecond: number
  /** Processor time of Tocsin for a run. */
  readonly cpuMsPerRun: number
  readonly memoryMb: number
}

async function withTocsin<T>(installation: Installation, work: (subject: Subject) => Promise<T>): Promise<T> {
  const subject = await startInstalled(installation, workingTree)
  try {
    return await work(subject)
  } finally {
    await subject.stop()
  }
}

/** A process that uses less of one processor than this is idle. */
const idleShare = 0.05

/** Waits until the processes have nothing more to do: a start checks a large database in the background. */
async function settled({ processes }: Subject): Promise<void> {
  const used = (): number => processes.reduce((sum, pid) => sum + processorTime(pid), 0)
  for (let before = used(), share = 1; share > idleShare; ) {
    await sleep(2_000)
    const now = used()
    share = (now - before) / 2_000
    before = now
  }
}

async function measure({ load, processes }: Subject): Promise<Measured> {
  // Many first requests at once would look as if somebody guessed keys.
  await load.call('GET', '/platformapi/alerts?limit=1')
  const content = (index: number): object => ({ item: `item-${index}`, act: index % 2 === 0 })
  await flood(load, 'bench_run', content, 1)
  const sumOf = (value: (pid: number) => number): number => processes.flatMap(withChildren).reduce((sum, pid) => sum + value(pid), 0)
  const before = sumOf(processorTime)
  const { count, all } = await flood(load, 'bench_run', content, seconds)
  return { runsPerSecond: count / all, cpuMsPerRun: (sumOf(processorTime) - before) / count, memoryMb: sumOf(peakMemory) }
}

function show({ page, items, p50, p99, worst }: TimedPage): void {
  console.error(
    `${page.padEnd(62)} p50 ${p50.toFixed(1).padStart(7)}  p99 ${p99.toFixed(1).padStart(7)}  worst ${worst.toFixed(1).padStart(7)}  ${items} items`,
  )
}

const system = await startChild<SystemAddress>(fileURLToPath(new URL('system.ts', import.meta.url)), [join(folder, 'pki')])
try {
  const [empty, filled] = ['empty', 'filled'].map((name) => newInstallation('embedded', { system: system.told, folder: join(folder, name) })) as [
    Installation,
    Installation,
  ]
  await withTocsin(empty, (subject) => setUp(subject, system.told))
  const originals = await withTocsin(filled, async (subject) => {
    await setUp(subject, system.told)
    return investigate(subject.load)
  })
  const to = Math.min(...originals.map(({ createdAt }) => createdAt))
  const from = to - alerts * apart
  const progress = progressOf(alerts, 'alerts')
  const stored = fillEmbedded(join(folder, 'filled', 'data'), originals, { alerts, from, to }, progress)
  const found = { empty: [] as Measured[], filled: [] as Measured[] }
  let timed: readonly TimedPage[] = []
  for (let round = 0; round < rounds; round += 1)
    for (const which of round % 2 === 0 ? (['empty', 'filled'] as const) : (['filled', 'empty'] as const)) {
      await withTocsin(which === 'empty' ? empty : filled, async (subject) => {
        await settled(subject)
        const measured = await measure(subject)
        found[which].push(measured)
        console.error(
          `${which}: ${measured.runsPerSecond.toFixed(0)} runs a second, ${measured.cpuMsPerRun.toFixed(2)} ms of processor time each, ${measured.memoryMb.toFixed(0)} MB`,
        )
        if (which === 'filled' && round === rounds - 1) timed = await measurePages(subject.load, (from + to) / 2, pages, show)
      })
    }
  const ratio = (of: (measured: Measured) => number): number =>
    median(found.filled.map((measured, round) => of(measured) / of(found.empty[round] ?? measured)))
  const result = {
    machine: thisMachine(),
    stored,
    ...found,
    ratios: {
      runsPerSecond: ratio(({ runsPerSecond }) => runsPerSecond),
      cpuMsPerRun: ratio(({ cpuMsPerRun }) => cpuMsPerRun),
      memory: ratio(({ memoryMb }) => memoryMb),
    },
    pages: timed,
  }
  const text = JSON.stringify(result, null, 2)
  if (values.json) writeFileSync(values.json, `${text}\n`)
  else console.log(text)
} finally {
  await system.stop()
  if (!values.keep) rmSync(folder, { recursive: true, force: true })
}

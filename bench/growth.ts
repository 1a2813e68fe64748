import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import type { Original } from './growth/copies.ts'
import { type Filled, fillEmbedded } from './growth/embedded.ts'
import { type Measured, measureRuns, settled } from './growth/measure.ts'
import { dropMongo, fillMongo } from './growth/mongodb.ts'
import { investigate } from './growth/originals.ts'
import { measurePages, type TimedPage } from './growth/pages.ts'
import { progressOf } from './growth/progress.ts'
import { startChild } from './table/child.ts'
import { thisMachine } from './table/machine.ts'
import { median } from './table/median.ts'
import type { Subject, SystemAddress } from './table/subject.ts'
import { type Installation, newInstallation, type Store, setUp, startInstalled, stores, workingTree } from './table/tocsin.ts'
import { countIn } from './table/wanted.ts'

/**
 * `node bench/growth.ts [--store embedded|services|apart] [--alerts 1000000] [--rounds 2] [--seconds 5] [--pages 200] [--json FILE]
 * [--keep FOLDER]`: compares a large store with an empty one. `services` (MongoDB and Redis) and `apart` (the same with `serve` and `worker`) need
 * MONGODB_URL and REDIS_URL. First, Tocsin investigates one alert of each kind. The program then copies the rows or documents of those
 * alerts, about ten journal entries each, into the tables or collections of the store. Each round measures both stores: runs a second, and
 * memory. The last round also measures pages of lists. With `--keep`, databases stay too. Linux.
 */
const { values } = parseArgs({
  options: {
    store: { type: 'string', default: 'embedded' },
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
const store = stores.find((one): one is Store => one === values.store)
if (!store) throw new Error(`--store must be one of ${stores.join(', ')}.`)
const folder = values.keep ?? mkdtempSync(join(tmpdir(), 'tocsin-growth-'))
/** How far apart the stored alerts are, in milliseconds. */
const apart = 1_000

async function withTocsin<T>(installation: Installation, work: (subject: Subject) => Promise<T>): Promise<T> {
  const subject = await startInstalled(installation, workingTree)
  try {
    return await work(subject)
  } finally {
    await subject.stop()
  }
}

/** Returns the URL of the MongoDB database of an installation. Empty on the embedded store. */
function mongoOf({ environment }: Installation): string {
  return environment['MONGODB_URL'] ?? ''
}

async function fill(installation: Installation, originals: readonly Original[], to: number): Promise<Filled> {
  const [plan, progress] = [{ alerts, from: to - alerts * apart, to }, progressOf(alerts, 'alerts')]
  if (store === 'embedded') return fillEmbedded(join(folder, 'filled', 'data'), originals, plan, progress)
  return fillMongo(mongoOf(installation), originals, plan, progress)
}

function show({ page, items, p50, p99, worst }: TimedPage): void {
  console.error(
    `${page.padEnd(62)} p50 ${p50.toFixed(1).padStart(7)}  p99 ${p99.toFixed(1).padStart(7)}  worst ${worst.toFixed(1).padStart(7)}  ${items} items`,
  )
}

const system = await startChild<SystemAddress>(fileURLToPath(new URL('system.ts', import.meta.url)), [join(folder, 'pki')])
const installations: Installation[] = []
try {
  const [empty, filled] = ['empty', 'filled'].map((name) => newInstallation(store, { system: system.told, folder: join(folder, name) })) as [
    Installation,
    Installation,
  ]
  installations.push(empty, filled)
  await withTocsin(empty, (subject) => setUp(subject, system.told))
  const originals = await withTocsin(filled, async (subject) => {
    await setUp(subject, system.told)
    return investigate(subject.load)
  })
  const to = Math.min(...originals.map(({ createdAt }) => createdAt))
  const stored = await fill(filled, originals, to)
  const found = { empty: [] as Measured[], filled: [] as Measured[] }
  let timed: readonly TimedPage[] = []
  for (let round = 0; round < rounds; round += 1)
    for (const which of round % 2 === 0 ? (['empty', 'filled'] as const) : (['filled', 'empty'] as const)) {
      await withTocsin(which === 'empty' ? empty : filled, async (subject) => {
        await settled(subject)
        const measured = await measureRuns(subject, seconds)
        found[which].push(measured)
        console.error(
          `${which}: ${measured.runsPerSecond.toFixed(0)} runs a second, ${measured.cpuMsPerRun.toFixed(2)} ms of processor time each, ${measured.memoryMb.toFixed(0)} MB`,
        )
        if (which === 'filled' && round === rounds - 1) timed = await measurePages(subject.load, to - (alerts * apart) / 2, pages, show)
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
  const databases = installations.map(mongoOf).filter((url) => url !== '')
  if (values.keep) console.error(['What was filled stays:', folder, ...databases].join('\n  '))
  else {
    rmSync(folder, { recursive: true, force: true })
    for (const database of databases) await dropMongo(database)
  }
}

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { type Beside, type Flood, measure } from './flood/measure.ts'
import { checkOut } from './table/checkout.ts'
import { startChild } from './table/child.ts'
import { thisMachine } from './table/machine.ts'
import { median } from './table/median.ts'
import type { SystemAddress } from './table/subject.ts'
import { type Installation, newInstallation, type Started, setUp, startInstalled, workingTree } from './table/tocsin.ts'
import { countIn, storesIn } from './table/wanted.ts'

/**
 * `node bench/flood.ts [--store embedded] [--timed 25] [--rounds 3] [--only NAME] [--backlog 30000] [--compare REF]`: how much longer an alert
 * takes beside a flood of another type or organization. `--compare` measures another commit in turn, and has the medians of the pairs' quotients.
 * Prints JSON. Linux.
 */
const { values } = parseArgs({
  options: {
    store: { type: 'string', default: 'embedded' },
    timed: { type: 'string', default: '25' },
    rounds: { type: 'string', default: '3' },
    only: { type: 'string' },
    backlog: { type: 'string' },
    compare: { type: 'string' },
  },
})
const [store = 'embedded'] = storesIn([values.store], [])
/** How many alerts a backlog has. Runs of a store on servers are slower. */
const backlog = values.backlog ?? (store === 'embedded' ? '30000' : '12000')
const [timed, rounds, alerts] = [countIn('timed', values.timed), countIn('rounds', values.rounds), countIn('backlog', backlog)]
const floods: readonly Flood[] = [
  { name: 'posting', organization: 'BENCH', connections: 32, alerts: 0 },
  { name: 'posting_elsewhere', organization: 'FLOOD', connections: 64, alerts: 0 },
  { name: 'backlog', organization: 'BENCH', connections: 8, alerts },
  { name: 'backlog_elsewhere', organization: 'FLOOD', connections: 8, alerts },
]
const wanted = floods.filter(({ name }) => values.only === undefined || values.only === name)
if (wanted.length === 0) throw new Error(`--only ${values.only} is unknown. Use one of ${floods.map(({ name }) => name).join(', ')}.`)

interface Side {
  readonly installation: Installation
  readonly started: Started
  readonly found: Map<string, Beside[]>
}

async function startSide(folder: string, checkout: string, system: SystemAddress): Promise<Side> {
  const playbooks = join(folder, 'playbooks')
  mkdirSync(playbooks, { recursive: true })
  for (const type of ['flood', 'timed']) {
    const steps = 'steps:\n  - id: nothing\n    set: { done: true }\n'
    const text = `format: 1\nplaybook: ${type}\nalert_type: ${type}\ncase: { title: Flood, severity: low }\n${steps}`
    writeFileSync(join(playbooks, `${type}.yaml`), text)
  }
  const made = newInstallation(store, { system, folder })
  const installation = { ...made, environment: { ...made.environment, TOCSIN_PLAYBOOKS: playbooks } }
  const started = await startInstalled(installation, checkout)
  await setUp(started, system)
  await started.load.call('POST', '/platformapi/organizations', { code: 'FLOOD', name: 'Flood' })
  await started.load.call('POST', '/platformapi/providers', { code: 'FLOOD', name: 'Flood' })
  return { installation, started, found: new Map(wanted.map(({ name }) => [name, []])) }
}

const middle = (all: readonly Beside[], of: (one: Beside) => number): number => Number(median(all.map(of)).toFixed(2))

function summary(found: readonly Beside[]): object {
  return {
    alone_ms: middle(found, ({ alone }) => alone),
    beside_ms: middle(found, ({ beside }) => beside),
    beside_p90_ms: middle(found, ({ besideP90 }) => besideP90),
    beside_by_alone: middle(found, ({ alone, beside }) => beside / alone),
    runs_of_flood: middle(found, ({ runs }) => runs),
    processor_ms_of_run: middle(found, ({ processor }) => processor),
  }
}

/** Returns the median of the pairs' quotients. */
function compared(own: readonly Beside[], other: readonly Beside[]): object {
  const quotient = (of: (one: Beside) => number): number => Number(median(own.map((one, index) => of(one) / of(other[index] ?? one))).toFixed(2))
  return {
    alone: quotient(({ alone }) => alone),
    beside: quotient(({ beside }) => beside),
    runs_of_flood: quotient(({ runs }) => runs),
    processor_of_run: quotient(({ processor }) => processor),
  }
}

const folder = mkdtempSync(join(tmpdir(), 'tocsin-flood-'))
const system = await startChild<SystemAddress>(fileURLToPath(new URL('system.ts', import.meta.url)), [join(folder, 'pki')])
const compare = values.compare === undefined ? null : checkOut(values.compare)
const sides: Side[] = []
try {
  for (const [index, checkout] of [workingTree, ...(compare ? [compare.folder] : [])].entries())
    sides.push(await startSide(join(folder, String(index)), checkout, system.told))
  for (let round = 0; round < rounds; round += 1)
    for (const flood of wanted)
      for (const { started, installation, found } of round % 2 === 0 ? sides : sides.toReversed())
        found.get(flood.name)?.push(await measure(started, installation.key, flood, timed))
  const [own, other] = sides
  const results = wanted.map(({ name }) => {
    const found = own?.found.get(name) ?? []
    const others = other?.found.get(name)
    return [name, others ? { this: summary(found), other: summary(others), this_by_other: compared(found, others) } : summary(found)] as const
  })
  console.log(
    JSON.stringify(
      { machine: thisMachine(), store, timed, rounds, ...(compare && { other: compare.commit }), ...Object.fromEntries(results) },
      null,
      2,
    ),
  )
} finally {
  for (const { started } of sides) await started.stop()
  compare?.remove()
  await system.stop()
  rmSync(folder, { recursive: true, force: true })
}

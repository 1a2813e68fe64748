import { parseArgs } from 'node:util'
import { checkOut } from './table/checkout.ts'
import { thisMachine } from './table/machine.ts'
import { type Line, lines, type Measured } from './table/measure.ts'
import { ratiosOf, textOf } from './table/report.ts'
import { inRounds } from './table/rounds.ts'
import type { Store } from './table/tocsin.ts'
import { countIn, floorsIn, storesIn, wantedFloor, wantedStore } from './table/wanted.ts'

/**
 * `npm run bench -- [--store embedded|services|apart] [--floor 1|2|3] [--compare REF] [--rounds 1] [--seconds 5] [--alerts 200] [--json]`: starts
 * Tocsin, or a worker written by hand ("floor"), in processes of their own, drives them over HTTP, and prints medians. `--store` and `--floor` can
 * be repeated. `--compare` measures each store with the sources of another commit too; then there are 3 rounds. Each round measures everything in
 * turn. `services`, `apart` and floor 2 need MONGODB_URL and REDIS_URL. Floors 1 and 2 start a `redis-server` of their own. Linux.
 */
const { values } = parseArgs({
  options: {
    store: { type: 'string', multiple: true, default: [] },
    floor: { type: 'string', multiple: true, default: [] },
    compare: { type: 'string' },
    rounds: { type: 'string' },
    seconds: { type: 'string', default: '5' },
    alerts: { type: 'string', default: '200' },
    json: { type: 'boolean', default: false },
  },
})
const amount = { seconds: countIn('seconds', values.seconds), alerts: countIn('alerts', values.alerts) }
const rounds = countIn('rounds', values.rounds ?? (values.compare === undefined ? '1' : '3'))
const floors = floorsIn(values.floor)
const stores = storesIn(values.store, values.compare === undefined ? values.floor : [])
const { load: before, ...machine } = thisMachine()

function tell(name: string, round: number, measured: Measured): void {
  const short = (Object.keys(lines) as Line[]).map((line) => `${line} ${measured[line].toFixed(lines[line].digits)}`)
  if (!values.json) console.log(`round ${round + 1}, ${name}: ${short.join(', ')}`)
}

const other = values.compare === undefined ? null : checkOut(values.compare)
try {
  const nameAt = (store: Store): string => `${store} at ${other?.commit}`
  const both = stores.flatMap((store) => [...(other ? [wantedStore(store, nameAt(store), other.folder)] : []), wantedStore(store)])
  const found = await inRounds([...floors.map(wantedFloor), ...both], rounds, amount, tell)
  const ratios = stores.flatMap((store) => [
    ...ratiosOf(found, store, nameAt(store)),
    ...floors.flatMap((floor) => ratiosOf(found, store, `floor ${floor}`)),
  ])
  const load = { before: before[0], after: thisMachine().load[0] }
  if (values.json) console.log(JSON.stringify({ machine, load, ...amount, rounds, found, ratios }, null, 2))
  else {
    const where = `Node ${machine.node}, ${machine.cores} cores (${machine.model}), load ${load.before} to ${load.after}`
    console.log(`\n${where}; load generator, called system and subject on one machine; 1 KB alerts`)
    console.log(textOf(found, ratios))
  }
} finally {
  other?.remove()
}

import { cpus, loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { type Line, lines } from './table/measure.ts'
import { ratiosOf, textOf } from './table/report.ts'
import { inRounds } from './table/rounds.ts'
import { floorsIn, storesIn, wantedFloor, wantedStore } from './table/wanted.ts'

/**
 * `npm run bench -- [--store embedded|services|apart] [--floor 1|2] [--rounds 1] [--seconds 5] [--alerts 200] [--json]`: starts Tocsin, or a worker
 * written by hand ("floor"), in processes of their own, drives them over HTTP, and prints medians. `--store` and `--floor` can be repeated. Each
 * round measures all of them in turn. `services`, `apart` and floor 2 need MONGODB_URL and REDIS_URL. A floor starts a `redis-server` of its own.
 * Linux.
 */
const { values } = parseArgs({
  options: {
    store: { type: 'string', multiple: true, default: [] },
    floor: { type: 'string', multiple: true, default: [] },
    rounds: { type: 'string', default: '1' },
    seconds: { type: 'string', default: '5' },
    alerts: { type: 'string', default: '200' },
    json: { type: 'boolean', default: false },
  },
})
const amount = { seconds: Number(values.seconds), alerts: Number(values.alerts) }
const machine = { node: process.version, cores: cpus().length, model: cpus()[0]?.model.trim() ?? '' }
const [before] = loadavg()
const floors = floorsIn(values.floor)
const stores = storesIn(values.store, values.floor)
const all = [...floors.map(wantedFloor), ...stores.map((store) => wantedStore(store))]

const found = await inRounds(all, Number(values.rounds), amount, (name, round, measured) => {
  const short = (Object.keys(lines) as Line[]).map((line) => `${line} ${measured[line].toFixed(lines[line].digits)}`)
  if (!values.json) console.log(`round ${round + 1}, ${name}: ${short.join(', ')}`)
})
const ratios = stores.flatMap((store) => floors.flatMap((floor) => ratiosOf(found, store, `floor ${floor}`)))
if (values.json) {
  const load = { before, after: loadavg()[0] }
  console.log(JSON.stringify({ machine, load, ...amount, rounds: Number(values.rounds), found, ratios }, null, 2))
} else {
  console.log(
    `\nNode ${machine.node}, ${machine.cores} cores (${machine.model}); load generator, called system and subject on one machine; 1 KB alerts`,
  )
  console.log(textOf(found, ratios))
}

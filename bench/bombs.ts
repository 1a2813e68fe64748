import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { corpus } from '../test/bombs/corpus.ts'
import { type Blast, fireAll, fireOne } from '../test/bombs/fire.ts'
import { type Experience, Neighbour } from '../test/bombs/neighbour.ts'
import { openRange } from '../test/bombs/range.ts'
import { thisMachine } from './table/machine.ts'

/**
 * `node bench/bombs.ts [--only <part of a name>] [--alone]`: fires the bombs of `test/bombs/` at a running process, first one by one and then (not
 * with `--alone`) many at once. Measures the delay of another tenant's requests and runs. Prints one JSON object.
 */
const { values } = parseArgs({ options: { only: { type: 'string', default: '' }, alone: { type: 'boolean', default: false } } })
const bombs = corpus.filter(({ name }) => name.includes(values.only))

interface Delay {
  readonly requests: string
  readonly runs: string
  readonly wrong: readonly string[]
}

/** The median and the longest time, in milliseconds. */
function spread(times: readonly number[]): string {
  const sorted = times.toSorted((a, b) => a - b)
  return `${(sorted[Math.floor(sorted.length / 2)] ?? 0).toFixed(1)}, at most ${(sorted.at(-1) ?? 0).toFixed(0)} (of ${times.length})`
}

function delayOf({ requests, runs, wrong }: Experience): Delay {
  return { requests: spread(requests), runs: spread(runs), wrong }
}

const range = await openRange()
try {
  const neighbour = new Neighbour(range, 20)
  await sleep(3_000)
  neighbour.take()
  await sleep(5_000)
  const quiet = delayOf(neighbour.take())
  const blasts: (Blast & { readonly longestRequest: number })[] = []
  const met: Experience[] = []
  for (const bomb of bombs) {
    const blast = await fireOne(range, bomb)
    const experience = neighbour.take()
    met.push(experience)
    blasts.push({ ...blast, longestRequest: Math.max(0, ...experience.requests) })
  }
  const alone = delayOf({
    requests: met.flatMap(({ requests }) => requests),
    runs: met.flatMap(({ runs }) => runs),
    wrong: met.flatMap(({ wrong }) => wrong),
  })
  let atOnce: (Delay & { readonly unexpected: readonly string[]; readonly longestTurn: number }) | null = null
  if (!values.alone) {
    await range.monitor.read()
    const unexpected = await fireAll(range, bombs)
    const { longestTurn } = await range.monitor.read()
    atOnce = { ...delayOf(neighbour.take()), unexpected, longestTurn }
  }
  await neighbour.stop()
  console.log(
    JSON.stringify(
      { machine: thisMachine(), milliseconds: { quiet, alone, atOnce }, bombs: blasts.toSorted((a, b) => b.longestTurn - a.longestTurn) },
      null,
      2,
    ),
  )
} finally {
  await range.close()
}

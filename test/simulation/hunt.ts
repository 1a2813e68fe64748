import { parseArgs } from 'node:util'
import { reportOf } from './report.ts'
import { simulate } from './simulate.ts'

/** Plays many seeds outside of the tests, and prints those in which something is wrong. */

const usage = 'npm run simulate -- [--from 1] [--seeds 10000] [--lines 200] [--stop]'
const width = 30

const { values } = parseArgs({
  options: {
    from: { type: 'string', default: '1' },
    seeds: { type: 'string', default: '10000' },
    lines: { type: 'string', default: '200' },
    stop: { type: 'boolean', default: false },
  },
})
const [from, seeds, lines] = [values.from, values.seeds, values.lines].map(Number) as [number, number, number]
if (![from, seeds, lines].every((value) => Number.isSafeInteger(value) && value > 0)) {
  console.error(`--from, --seeds and --lines are whole numbers above 0: ${usage}`)
  process.exit(2)
}

const began = Date.now()
const failed: number[] = []
for (let done = 0; done < seeds; done += 1) {
  const played = await simulate(from + done, { lines })
  if (played.wrong.length > 0) {
    failed.push(played.seed)
    process.stderr.write('\r\x1b[K')
    console.log(`${reportOf(played, lines)}\n`)
    if (values.stop) break
  }
  show(done + 1)
}
process.stderr.write('\n')
console.log(failed.length === 0 ? `${seeds} seeds from ${from}: nothing is wrong.` : `Something is wrong in ${failed.length}: ${failed.join(', ')}`)
process.exitCode = failed.length === 0 ? 0 : 1

function show(done: number): void {
  if (!process.stderr.isTTY && done % 1_000 > 0) return
  const bar = '#'.repeat(Math.round((done / seeds) * width)).padEnd(width, '.')
  const left = Math.round((((Date.now() - began) / done) * (seeds - done)) / 1_000)
  process.stderr.write(`\r\x1b[K[${bar}] ${done} of ${seeds} seeds, ${failed.length} with something wrong, ${left} s left`)
}

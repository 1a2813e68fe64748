import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { startChild } from './table/child.ts'
import { backlog, flood } from './table/drive.ts'
import { thisMachine } from './table/machine.ts'
import { median } from './table/median.ts'
import type { SystemAddress } from './table/subject.ts'
import { newInstallation, setUp, startInstalled, workingTree } from './table/tocsin.ts'
import { countIn } from './table/wanted.ts'
import { openShare } from './workers/share.ts'

/**
 * `node bench/workers.ts [--share 20] [--alerts 2000] [--rounds 3]`: compares two `worker` processes with one, on MongoDB and Redis. Each worker may
 * use so many percent of one processor, so that two cores are enough to see whether they get in each other's way. Prints JSON. Linux, as root.
 */
const { values } = parseArgs({
  options: {
    share: { type: 'string', default: '20' },
    alerts: { type: 'string', default: '2000' },
    rounds: { type: 'string', default: '3' },
  },
})
const [share, alerts, rounds] = [countIn('share', values.share) / 100, countIn('alerts', values.alerts), countIn('rounds', values.rounds)]
const content = (index: number): object => ({ item: `item-${index}`, act: index % 2 === 0 })

/** Returns how many runs so many workers end in a second, while others wait for them. */
async function speedOf(workers: number, system: SystemAddress, folder: string): Promise<number> {
  const subject = await startInstalled(newInstallation('apart', { system, folder }), workingTree, workers)
  const shares = Array.from({ length: workers }, (_, index) => openShare(`tocsin-bench-${process.pid}-${index}`, share))
  try {
    await setUp(subject, system)
    // They compile their code first, with all processors.
    await flood(subject.load, 'bench_run', content, 3)
    for (const [index, one] of shares.entries()) one.hold(subject.processes[1 + index] ?? 0)
    return await backlog(subject.load, 'bench_run', content, alerts)
  } finally {
    await subject.stop()
    for (const one of shares) one.close()
  }
}

const folder = mkdtempSync(join(tmpdir(), 'tocsin-workers-'))
const system = await startChild<SystemAddress>(fileURLToPath(new URL('system.ts', import.meta.url)), [join(folder, 'pki')])
try {
  const found: { readonly one: number; readonly two: number }[] = []
  for (let round = 1; round <= rounds; round += 1) {
    const one = await speedOf(1, system.told, join(folder, `${round}-one`))
    const two = await speedOf(2, system.told, join(folder, `${round}-two`))
    found.push({ one, two })
    console.error(`round ${round}: one worker ends ${one.toFixed(0)} runs a second, two end ${two.toFixed(0)}`)
  }
  console.log(
    JSON.stringify({ machine: thisMachine(), share, alerts, rounds: found, ratio: median(found.map(({ one, two }) => two / one)) }, null, 2),
  )
} finally {
  await system.stop()
  rmSync(folder, { recursive: true, force: true })
}

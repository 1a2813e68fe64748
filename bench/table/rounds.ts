import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startChild } from './child.ts'
import { type Amount, type Line, lines, type Measured, measure } from './measure.ts'
import { median } from './median.ts'
import type { SystemAddress } from './subject.ts'
import type { Wanted } from './wanted.ts'

/** What the rounds have found for one subject. */
export interface Found {
  readonly name: string
  readonly median: Measured
  readonly rounds: readonly Measured[]
}

/** Makes a value for each line. */
export function eachLine(value: (line: Line) => number): Measured {
  return Object.fromEntries(Object.keys(lines).map((line) => [line, value(line as Line)])) as unknown as Measured
}

async function once(wanted: Wanted, amount: Amount): Promise<Measured> {
  const folder = mkdtempSync(join(tmpdir(), 'tocsin-bench-'))
  try {
    const system = await startChild<SystemAddress>(fileURLToPath(new URL('../system.ts', import.meta.url)), [join(folder, 'pki')])
    try {
      const subject = await wanted.start({ system: system.told, folder })
      try {
        return await measure(subject, amount)
      } finally {
        await subject.stop()
      }
    } finally {
      await system.stop()
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * Measures each subject once a round, all in turn. Every second round goes backwards, so that a machine that gets slower or faster meanwhile is the same
 * for all.
 * @param tell is told each result at once
 */
export async function inRounds(
  all: readonly Wanted[],
  rounds: number,
  amount: Amount,
  tell: (name: string, round: number, measured: Measured) => void,
): Promise<readonly Found[]> {
  const found = new Map<string, Measured[]>(all.map(({ name }) => [name, []]))
  for (let round = 0; round < rounds; round++)
    for (const wanted of round % 2 === 0 ? all : all.toReversed()) {
      const measured = await once(wanted, amount)
      found.get(wanted.name)?.push(measured)
      tell(wanted.name, round, measured)
    }
  return [...found].map(([name, each]) => ({ name, median: eachLine((line) => median(each.map((one) => one[line]))), rounds: each }))
}

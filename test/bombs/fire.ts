import type { Bomb } from './bomb.ts'
import type { Range } from './range.ts'

/** What became of one bomb. */
export interface Blast {
  readonly bomb: string
  readonly came: string
  /** Whether that is what may come back. */
  readonly expected: boolean
  /** Milliseconds of CPU of the longest turn of the event loop while it went off. */
  readonly longestTurn: number
  /** Milliseconds of CPU of the main thread in all. */
  readonly cpu: number
}

/** Fires one bomb alone. */
export async function fireOne(range: Range, bomb: Bomb): Promise<Blast> {
  await range.monitor.read()
  const came = await outcome(range, bomb)
  const { longestTurn, cpu } = await range.monitor.read()
  return { bomb: bomb.name, came, expected: bomb.comes.includes(came), longestTurn, cpu }
}

/** Fires all of them at the same time. @returns what came back of those that did not end as they should */
export async function fireAll(range: Range, bombs: readonly Bomb[]): Promise<readonly string[]> {
  const ends = await Promise.all(bombs.map(async (bomb) => ({ bomb, came: await outcome(range, bomb) })))
  return ends.filter(({ bomb, came }) => !bomb.comes.includes(came)).map(({ bomb, came }) => `${bomb.name}: ${came}`)
}

async function outcome(range: Range, bomb: Bomb): Promise<string> {
  try {
    return await bomb.fire(range)
  } catch (error) {
    return `error ${error instanceof Error ? error.message : String(error)}`
  }
}

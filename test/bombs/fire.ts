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

/** Bombs that go off at the same time. */
const together = 12

/** What becomes of bombs that need their whole time, where many go off: a check, a call or a script ends, or one tenant has too many checks that wait. */
const crowded: readonly string[] = ['refused check_timeout', 'refused overloaded', 'failed call_timeout', 'failed script_timeout']

/** Fires all of them, twelve at a time. @returns what came back of those that did not end as they should */
export async function fireAll(range: Range, bombs: readonly Bomb[]): Promise<readonly string[]> {
  const waiting = bombs.values()
  const wrong: string[] = []
  const fire = async (): Promise<void> => {
    for (const bomb of waiting) {
      const came = await outcome(range, bomb)
      if (!crowded.includes(came) && !bomb.comes.includes(came)) wrong.push(`${bomb.name}: ${came}`)
    }
  }
  await Promise.all(Array.from({ length: together }, fire))
  return wrong
}

async function outcome(range: Range, bomb: Bomb): Promise<string> {
  try {
    return await bomb.fire(range)
  } catch (error) {
    return `error ${error instanceof Error ? error.message : String(error)}`
  }
}

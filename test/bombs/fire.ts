import type { Bomb } from './bomb.ts'
import type { Range } from './range.ts'

/** The result of one bomb. */
export interface Blast {
  readonly bomb: string
  readonly came: string
  /** True if the outcome is allowed. */
  readonly expected: boolean
  /** CPU time of the longest turn of the event loop during the bomb, in milliseconds. */
  readonly longestTurn: number
  /** CPU time of the main thread during the bomb, in milliseconds. */
  readonly cpu: number
}

/** Fires one bomb alone. */
export async function fireOne(range: Range, bomb: Bomb): Promise<Blast> {
  await range.monitor.read()
  const came = await outcome(range, bomb)
  const { longestTurn, cpu } = await range.monitor.read()
  return { bomb: bomb.name, came, expected: bomb.comes.includes(came), longestTurn, cpu }
}

/** How many bombs run at the same time. */
const together = 12

/** Further allowed outcomes when many bombs run at once: a check, a call or a script may time out, or too many checks of the tenant wait. */
const crowded: readonly string[] = ['refused check_timeout', 'refused overloaded', 'failed call_timeout', 'failed script_timeout']

/** Fires the bombs, twelve at a time. Returns the outcomes that are not allowed. */
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

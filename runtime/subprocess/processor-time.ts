import { readFileSync } from 'node:fs'
import type { Millis } from '../domain/index.ts'

/** Linux counts processor time for programs in hundredths of a second, on every architecture (proc(5), USER_HZ). */
const tick: Millis = 10

/**
 * The processor time that a process has used, with all its threads but without its children.
 * Null where the system has no `/proc`, or if the process has ended.
 */
export function processorTimeOf(pid: number): Millis | null {
  try {
    const line = readFileSync(`/proc/${pid}/stat`, 'latin1')
    // The second field is the program's name in parentheses, which may contain anything. The third follows the last parenthesis.
    const fields = line.slice(line.lastIndexOf(')') + 2).split(' ')
    const [user, system] = [Number(fields[11]), Number(fields[12])]
    return Number.isFinite(user + system) ? (user + system) * tick : null
  } catch {
    return null
  }
}

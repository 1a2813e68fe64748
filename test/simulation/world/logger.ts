import type { Logger } from '../../../runtime/telemetry/index.ts'
import type { Machine } from './machine.ts'

/**
 * Returns a logger that writes into the trace. A log line at level `error` is a violation: faults of the
 * world must not be logged as errors, because errors mean defects.
 */
export function loggerOf(machine: Machine): Logger {
  const { world, name } = machine
  const say =
    (level: string) =>
    (first: unknown, words: string = String(first)): void => {
      if (machine.dead) return
      world.note(name, `${level}: ${words}`, first)
      if (level === 'error') world.fail(`${name} logged an error: ${words} ${JSON.stringify(first)}`)
    }
  return { trace: () => {}, debug: () => {}, info: say('info'), warn: say('warn'), error: say('error'), fatal: say('error') } as unknown as Logger
}

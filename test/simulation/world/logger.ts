import type { Logger } from '../../../runtime/telemetry/index.ts'
import type { Machine } from './machine.ts'

/** What a process logs goes into the trace. Nothing that a fault of the world brings about may be logged as an error: errors are defects. */
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

import type { Command } from 'commander'
import { explainFailure } from './failure.ts'

/** The exit status of a checking command that could not do its work. 1 means that it found something wrong. */
const couldNotRun = 2

/** Makes a command exit with 2 if its arguments are wrong or it cannot do its work. */
export function checking<A extends unknown[]>(command: Command, action: (...parameters: A) => Promise<void>): Command {
  return command
    .exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : couldNotRun))
    .action(async (...parameters: unknown[]) => {
      try {
        await action(...(parameters as A))
      } catch (error) {
        console.error(explainFailure(error))
        process.exitCode = couldNotRun
      }
    })
}

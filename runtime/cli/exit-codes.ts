import type { Command } from 'commander'
import { explainFailure } from './failure.ts'

/** Of commands that look for something wrong: 1 means that they found it, 2 that they could not run. */
const couldNotRun = 2

/** Makes a command end with 2 when it is used wrongly, or cannot do its work. */
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

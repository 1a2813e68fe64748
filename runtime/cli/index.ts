/**
 * The `tocsin` command line. `commands/` has the commands, and `views/` the text that they print about alerts, cases, runs and so on.
 * The files here are what commands share: the client of the API, arguments, printing, confirmation, failures and exit codes.
 */
import { Command } from 'commander'
import { version } from '../config/index.ts'
import { commands } from './commands/index.ts'

/** Returns the `tocsin` program with all its commands. */
export function buildProgram(): Command {
  const program = new Command('tocsin').description('A managed-detection-and-response runtime.').version(version).showHelpAfterError()
  for (const add of commands) add(program)
  return program
}

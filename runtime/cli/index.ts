/**
 * The `tocsin` command line. `commands/` has the commands, and `views/` the text that they print about alerts, cases, runs and so on.
 * The files here are what commands share: the client of the API, arguments, printing, confirmation, failures and exit codes.
 */
import { Command } from 'commander'
import { version } from '../config/index.ts'
import { commands } from './commands/index.ts'

/**
 * Returns the `tocsin` program.
 * @param word the first argument. If it names a command, only that command is loaded; otherwise all are
 */
export async function buildProgram(word?: string): Promise<Command> {
  const program = new Command('tocsin').description('A managed-detection-and-response runtime.').version(version).showHelpAfterError()
  const one = word === undefined ? undefined : commands.get(word)
  const loaded = await Promise.all((one ? [one] : [...commands.values()]).map((load) => load()))
  for (const add of loaded) add(program)
  return program
}

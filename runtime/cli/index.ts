/**
 * The `tocsin` command line. `commands/` has the commands, and `views/` the text that they print about alerts, cases, runs and so on.
 * The files here are what commands share: the client of the API, arguments, printing, confirmation, failures and exit codes.
 */
import { Command, type ErrorOptions, type HelpContext } from 'commander'
import { version } from '../config/index.ts'
import { commands } from './commands/index.ts'

/** If its arguments are wrong, it prints one sentence, the usage, and which command prints the help. The whole help would hide the sentence. */
class TocsinCommand extends Command {
  override createCommand(name?: string): Command {
    return new TocsinCommand(name)
  }

  /**
   * Returns the text of the help. If the request names a command of this one, shows the help of that. If it names none, ends with the error
   * that the word gets elsewhere, because the whole help would not say what is wrong.
   */
  override helpInformation(context?: HelpContext): string {
    const word = this.wordInRequest()
    if (word === undefined || this.commands.length === 0) return super.helpInformation(context)
    const meant = this.commands.find((command) => command.name() === word || command.aliases().includes(word))
    if (meant) return meant.help()
    this.parse([word], { from: 'user' })
    return super.helpInformation(context)
  }

  /** The word after this command's name: `nosuch` in `tocsin help nosuch`, `tocsin nosuch --help` and `tocsin help case nosuch`. */
  private wordInRequest(): string | undefined {
    const [first, second] = this.args
    if (first !== undefined) return first === 'help' ? second : first.startsWith('-') ? undefined : first
    const [help, own, word] = this.parent?.args ?? []
    return help === 'help' && own === this.name() ? word : undefined
  }

  override error(message: string, options?: ErrorOptions): never {
    const plain = this.createHelp().commandUsage(this)
    const words = plain.replace(/ [[<].*$/, '')
    const needed = this.options.filter(({ mandatory }) => mandatory).map(({ flags }) => ` ${flags.split(', ').at(-1)}`)
    const usage = plain.replace('[options]', () => `[options]${needed.join('')}`)
    this.showHelpAfterError(`Usage: ${usage}\nSee \`${words} --help\`.`)
    const [, flag] = (options?.code === 'commander.unknownOption' && this.commands.length > 0 && /'(-[^'=]+)/.exec(message)) || []
    return super.error(
      flag === undefined ? message : `${message}\nOptions go after the command that they are for: ${words} <command> ${flag} …`,
      options,
    )
  }
}

/**
 * Returns the `tocsin` program.
 * @param word the first argument. If it names a command, only that command is loaded; otherwise all are
 */
export async function buildProgram(word?: string): Promise<Command> {
  const program = new TocsinCommand('tocsin').description('A managed-detection-and-response runtime.').version(version)
  const one = word === undefined ? undefined : commands.get(word)
  const loaded = await Promise.all((one ? [one] : [...commands.values()]).map((load) => load()))
  for (const add of loaded) add(program)
  return program
}

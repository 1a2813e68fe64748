import type { Command } from 'commander'
import { type Flags, type SettingName, settings } from '../../config/index.ts'

/**
 * Adds a flag for each setting that has one. The help lists the other settings as environment variables.
 * @param own defaults of this command, in place of those of the settings
 */
export function addProcessFlags(command: Command, own: Flags = {}): Command {
  for (const [name, { flag, variable, help, fallback }] of Object.entries(settings)) {
    if (flag === null) continue
    const preset = own[name as SettingName] ?? fallback
    command.option(`--${flag} <value>`, `${help} (${variable}${preset === null ? '' : `, default ${preset}`})`)
  }
  const others = Object.values(settings).filter(({ flag }) => flag === null)
  const lines = others.map(({ variable, help }) => `  ${variable.padEnd(20)} ${help}`)
  return command.addHelpText('after', `\nEnvironment:\n${lines.join('\n')}`)
}

/** Picks the settings from the parsed options of a command. */
export function flagsOf(options: Record<string, string | undefined>): Flags {
  const entries = (Object.keys(settings) as SettingName[]).flatMap((name) => {
    const value = options[name]
    return value === undefined ? [] : [[name, value] as const]
  })
  return Object.fromEntries(entries)
}

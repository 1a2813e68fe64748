import type { Command } from 'commander'
import { type Flags, type SettingName, settings } from '../../config/index.ts'

/** Adds a flag for each setting that has one. The help lists the other settings as environment variables. */
export function addProcessFlags(command: Command): Command {
  for (const { flag, variable, help, fallback } of Object.values(settings)) {
    if (flag === null) continue
    command.option(`--${flag} <value>`, `${help} (${variable}${fallback === null ? '' : `, default ${fallback}`})`)
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

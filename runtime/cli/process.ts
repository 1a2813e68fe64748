import type { Command } from 'commander'
import { type Flags, type ProcessName, readConfig, type SettingName, settings, systemClock } from '../config/index.ts'
import { createLogger } from '../telemetry/index.ts'
import { announceServer } from './running.ts'
import { type Roles, start } from './start.ts'

/** Flags that every process of Tocsin takes; each has its variable. */
export function addProcessFlags(command: Command): Command {
  for (const { flag, variable, help, fallback } of Object.values(settings)) {
    if (flag === null) continue
    command.option(`--${flag} <value>`, `${help} (${variable}${fallback === null ? '' : `, default ${fallback}`})`)
  }
  const others = Object.values(settings).filter(({ flag }) => flag === null)
  const lines = others.map(({ variable, help }) => `  ${variable.padEnd(20)} ${help}`)
  return command.addHelpText('after', `\nEnvironment:\n${lines.join('\n')}`)
}

function flagsOf(options: Record<string, string | undefined>): Flags {
  const entries = (Object.keys(settings) as SettingName[]).flatMap((name) => {
    const value = options[name]
    return value === undefined ? [] : [[name, value] as const]
  })
  return Object.fromEntries(entries)
}

/** Resolves at the first SIGINT or SIGTERM; a second one, of either kind, ends the process at once. */
function stopSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    let told = false
    for (const name of ['SIGINT', 'SIGTERM'] as const) {
      process.on(name, () => {
        if (told) process.exit(exitAtOnce)
        told = true
        resolve(name)
      })
    }
  })
}

/** As shells have it for a process that was interrupted. */
const exitAtOnce = 130
/** So much longer than runs may take to end may the rest of stopping take, before the process ends all the same. */
const closing = 10_000

/** Runs a process of Tocsin until it is told to stop. */
export async function runProcess(name: ProcessName, roles: Roles, options: Record<string, string | undefined>, defaults: Flags = {}): Promise<void> {
  const config = readConfig(process.env, { ...defaults, ...flagsOf(options) }, name)
  const logger = createLogger({ level: config.logLevel, destination: process.stderr })
  const stopping = stopSignal()
  const running = await start(config, roles, logger)
  const { firstKey, url } = running
  const withdraw = roles.api ? announceServer({ url, data: config.data }, process.env) : () => {}
  if (firstKey) console.log(`Admin key (shown once, kept in ${firstKey.file}):\n  ${firstKey.value}\n`)
  const where = config.backends.kind === 'embedded' ? `embedded store in ${config.data}` : 'MongoDB and Redis'
  console.log(`tocsin ${name} listens on ${url} (${where})`)
  if (roles.api) console.log(`The console, for whoever has a key, is ${url}/console/`)
  const signal = await stopping
  withdraw()
  console.log(
    `${signal}: stopping; what is in work has ${config.stopWithin / 1000} s to end, and then goes on elsewhere. A second signal ends at once.`,
  )
  const cancel = systemClock.after(config.stopWithin + closing, () => {
    logger.error('something does not close; the process ends without it')
    process.exit(1)
  })
  await running.stop()
  cancel()
  logger.info('stopped')
}

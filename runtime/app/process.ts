import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { type Config, type Flags, type ProcessName, readConfig, systemClock } from '../config/index.ts'
import { announceServer } from '../running/index.ts'
import { createLogger } from '../telemetry/index.ts'
import { openBackends } from './backends.ts'
import { machine } from './seams.ts'
import type { Roles, Running } from './start.ts'

/** Resolves at the first SIGINT or SIGTERM. A second signal ends the process at once. */
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

/** The exit status that shells use for an interrupted process. */
const exitAtOnce = 130
/** How much longer than the time for runs the whole stop may take. After that, the process ends all the same. */
const closing = 10_000

/**
 * Opens the store and the queue while it loads the rest. The store's threads load their code, open the file and check it. A database answers.
 * So this file and `backends.ts` load little, and `start.ts` the rest of the runtime.
 */
async function startSoon(config: Config, roles: Roles, logger: Logger): Promise<Running> {
  const opening = openBackends(config, logger, machine)
  // `start` awaits it.
  opening.catch(() => {})
  const { start } = await import('./start.ts').catch(async (error) => {
    await opening.then((backends) => backends.close())
    throw error
  })
  return start(config, roles, logger, machine, opening)
}

/** Says where the admin key is. A first start that fails later, such as at a port that is taken, makes it and does not show it. */
function adminKeyHint({ adminKey, data }: Config): string {
  const file = join(data, 'admin.key')
  return adminKey === null && existsSync(file) ? `, such as the one in ${file}` : ''
}

/** Runs a process of Tocsin until it is told to stop. */
export async function runProcess(name: ProcessName, roles: Roles, flags: Flags): Promise<void> {
  const config = readConfig(process.env, flags, name)
  const logger = createLogger({ level: config.logLevel, destination: process.stderr })
  const stopping = stopSignal()
  const running = await startSoon(config, roles, logger)
  const { firstKey, url } = running
  const withdraw = roles.api ? announceServer({ url, data: config.data }, process.env) : () => {}
  if (firstKey) console.log(`Admin key (shown once, kept in ${firstKey.file}):\n  ${firstKey.value}\n`)
  const where = config.backends.kind === 'embedded' ? `embedded store in ${config.data}` : 'MongoDB and Redis'
  console.log(`tocsin ${name} listens on ${url} (${where})`)
  if (roles.api) console.log(`Console: ${url}/console/ (sign in with an API key${firstKey ? '' : adminKeyHint(config)})`)
  const signal = await stopping
  withdraw()
  console.log(
    `${signal}: stopping. Runs have ${config.stopWithin / 1000} s to end; the rest continue in another process. A second signal exits at once.`,
  )
  const cancel = systemClock.after(config.stopWithin + closing, () => {
    logger.error('shutdown took too long; the process exits now')
    process.exit(1)
  })
  await running.stop()
  cancel()
  logger.info('stopped')
  // Timers that nobody needs any more would hold the process for seconds, such as one of the client of Redis.
  process.exit()
}

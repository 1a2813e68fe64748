import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { type Config, type Flags, type ProcessName, readConfig, systemClock } from '../config/index.ts'
import { messageOf } from '../errors/index.ts'
import { announceServer } from '../running/index.ts'
import { createLogger } from '../telemetry/index.ts'
import { type Backends, openBackends } from './backends.ts'
import { machine } from './seams.ts'
import type { Roles, Running } from './start.ts'

/** Tells when the process must stop. */
interface StopSignal {
  /** Aborted by the first SIGINT or SIGTERM. */
  readonly stopping: AbortSignal
  /** Resolves with the name of that signal. */
  readonly told: Promise<NodeJS.Signals>
}

/** Waits for SIGINT and SIGTERM. A second signal ends the process at once. */
function stopSignal(): StopSignal {
  const stopping = new AbortController()
  const told = Promise.withResolvers<NodeJS.Signals>()
  for (const name of ['SIGINT', 'SIGTERM'] as const) {
    const early = process.listeners(name)
    process.on(name, () => {
      if (stopping.signal.aborted) process.exit(exitAtOnce)
      stopping.abort(new Error(`${name} came during the start`))
      told.resolve(name)
    })
    // Takes over from `tocsin.js`. Not in the other order: without a listener, Node forgets a signal that it has not told anybody yet.
    for (const listener of early) process.off(name, listener)
  }
  return { stopping: stopping.signal, told: told.promise }
}

/** The exit status that shells use for an interrupted process. */
const exitAtOnce = 130
/** How much longer than the time for runs the whole stop may take. After that, the process ends all the same. */
const closing = 10_000

/**
 * Opens the store and the queue while it loads the rest. The store's threads load their code, open the file and check it. A database answers.
 * So this file and `backends.ts` load little, and `start.ts` the rest of the runtime.
 * @throws the reason of `stopping` if it aborts before the process listens
 */
async function startSoon(config: Config, roles: Roles, logger: Logger, stopping: AbortSignal): Promise<Running> {
  const opening = openUnlessStopped(config, logger, stopping)
  // `start` awaits it.
  opening.catch(() => {})
  const { start } = await import('./start.ts').catch(async (error) => {
    await opening.then((backends) => backends.close())
    throw error
  })
  return start(config, roles, logger, machine, opening, stopping)
}

/** Opens the store and the queue, and closes them again if the process must stop. */
async function openUnlessStopped(config: Config, logger: Logger, stopping: AbortSignal): Promise<Backends> {
  const backends = await openBackends(config, logger, machine)
  if (!stopping.aborted) return backends
  await backends.close()
  throw stopping.reason
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
  const { stopping, told } = stopSignal()
  stopping.addEventListener('abort', () =>
    systemClock.after(config.stopWithin + closing, () => {
      logger.error('shutdown took too long; the process exits now')
      process.exit(1)
    }),
  )
  const running = await startSoon(config, roles, logger, stopping).catch((error: unknown) => {
    if (!stopping.aborted) throw error
    if (error !== stopping.reason) logger.warn({ error: messageOf(error) }, 'the start failed while the process was told to stop')
    return null
  })
  if (running === null) {
    console.log(`${await told}: stopped before the start was complete.`)
    process.exit()
  }
  const { firstKey, url } = running
  const withdraw = roles.api ? announceServer({ url, data: config.data }, process.env) : () => {}
  if (firstKey) console.log(`Admin key (shown once, kept in ${firstKey.file}):\n  ${firstKey.value}\n`)
  const where = config.backends.kind === 'embedded' ? `embedded store in ${config.data}` : 'MongoDB and Redis'
  console.log(`tocsin ${name} listens on ${url} (${where})`)
  if (roles.api) console.log(`Console: ${url}/console/ (sign in with an API key${firstKey ? '' : adminKeyHint(config)})`)
  const signal = await told
  withdraw()
  console.log(
    `${signal}: stopping. Runs have ${config.stopWithin / 1000} s to end; the rest continue in another process. A second signal exits at once.`,
  )
  await running.stop()
  logger.info('stopped')
  // Timers that nobody needs any more would hold the process for seconds, such as one of the client of Redis.
  process.exit()
}

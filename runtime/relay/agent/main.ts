import { jsonLog } from './log.ts'
import { agentClock, machineUptime, systemNames } from './machine.ts'
import { readOptions } from './options.ts'
import { runAgent } from './run.ts'

/**
 * Runs an agent in this process, until SIGINT or SIGTERM. A second signal ends it at once.
 * @param args the arguments of `tocsin agent run`
 */
export async function agentMain(args: readonly string[], version: string): Promise<void> {
  // Half of the threads look up names. Node starts them when the first is needed: in the bundle, that is later than this. The loader of ES modules
  // needs some earlier, so a process that has loaded the sources keeps four.
  process.env['UV_THREADPOOL_SIZE'] ??= '16'
  const stopping = new AbortController()
  for (const name of ['SIGINT', 'SIGTERM'] as const)
    process.on(name, () => {
      if (stopping.signal.aborted) process.exit(130)
      stopping.abort()
    })
  try {
    const log = jsonLog((line) => process.stderr.write(line), agentClock.now)
    const machine = { clock: agentClock, uptime: machineUptime, random: Math.random, names: systemNames, log }
    await runAgent(readOptions(args, process.env), version, machine, stopping.signal)
    process.exit(0)
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    process.exit(1)
  }
}

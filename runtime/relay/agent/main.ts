import { jsonLog } from './log.ts'
import { agentClock, machineUptime, systemNames } from './machine.ts'
import { readOptions } from './options.ts'
import { runAgent } from './run.ts'

/** The bundle runs on a machine of the customer, with the Node that is there. An older one fails somewhere in the middle, and does not say why. */
const neededNode = 24

/** Returns what to tell whoever starts the agent with this version of Node (`20.20.2`). Null: it is new enough. */
export function nodeTooOld(version: string): string | null {
  if (Number(version.split('.')[0]) >= neededNode) return null
  return `The agent needs Node ${neededNode} or newer, but it was started with Node ${version} (${process.execPath}).`
}

/**
 * Runs an agent in this process, until SIGINT or SIGTERM. A second signal ends it at once.
 * @param args the arguments of `tocsin agent run`
 */
export async function agentMain(args: readonly string[], version: string): Promise<void> {
  const complaint = nodeTooOld(process.versions.node)
  if (complaint !== null) {
    process.stderr.write(`${complaint}\n`)
    process.exit(1)
  }
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

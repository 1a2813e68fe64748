import type { Clock, Millis } from '../../domain/index.ts'
import { ConnectionsLog } from './connections-log.ts'
import { dialer } from './dial.ts'
import { loadKey } from './identity.ts'
import type { Log } from './log.ts'
import type { Names } from './names.ts'
import type { AgentSettings } from './options.ts'
import { newShare, serveTunnel } from './serve-tunnel.ts'
import { signInInTime } from './sign-in.ts'
import { stayConnected } from './stay-connected.ts'

/**
 * How many tunnels an agent keeps. One is one TCP connection: the system sends only so many bytes of it before they are acknowledged, and each lost
 * packet slows it down. Calls of several share neither.
 */
const keptTunnels = 4

/** What an agent gets from its machine. */
export interface AgentMachine {
  readonly clock: Clock
  readonly uptime: () => Millis
  readonly random: () => number
  readonly names: Names
  readonly log: Log
}

/**
 * Runs an agent until it is told to stop.
 * @throws KeyFileInvalid, the file system's errors. A platform that cannot be reached is no error: the agent tries for ever
 */
export async function runAgent(settings: AgentSettings, version: string, machine: AgentMachine, stopping: AbortSignal): Promise<void> {
  const { allow, token } = settings
  const { clock, log, names, uptime } = machine
  const privateKey = loadKey(settings.keyFile)
  const dial = dialer(settings)
  const share = newShare()
  const connections = new ConnectionsLog(log, clock)
  log('the agent starts', { version, platform: settings.url.origin })
  await stayConnected(
    {
      ...machine,
      tunnels: keptTunnels,
      connect: () => signInInTime(dial(), { privateKey, token, version }, clock, stopping),
      serve: ({ wire }) => serveTunnel(wire, { allow, names, clock, uptime, told: connections.told }, share),
    },
    stopping,
  )
  connections.close()
  log('stopped')
}

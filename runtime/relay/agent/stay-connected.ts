import type { Clock, Millis } from '../../domain/index.ts'
import type { Tunnel } from '../link/index.ts'
import { reasonOf } from './dial.ts'
import type { Log } from './log.ts'
import type { SignedIn } from './sign-in.ts'
import { SignInRefused } from './sign-in.ts'

const firstDelay: Millis = 500
/** A try costs little at both ends, and calls fail for as long as the agent waits. */
const longestDelay: Millis = 10_000
/** A tunnel that stood for so long did not end at once. The platform lets an agent in more often than that. */
const steady: Millis = 5_000
/** After a refusal. Somebody must do something first, and may do it. */
const refusedDelay: Millis = 60_000
/** How long open streams may take to end when the agent stops. */
const drainTime: Millis = 25_000
/** For each tunnel that it keeps, the most at once: a new one, and old ones whose streams have not ended yet. */
const mostForEach = 4

/** What this room needs of a tunnel. */
type Standing = Pick<Tunnel, 'gone' | 'left' | 'leave' | 'cut'>

export interface StayDeps {
  readonly clock: Clock
  /** From 0 to 1. */
  readonly random: () => number
  readonly log: Log
  /** How many tunnels it keeps. */
  readonly tunnels: number
  /** Dials and signs in. @throws SignInRefused, or any other error */
  readonly connect: () => Promise<SignedIn>
  readonly serve: (signedIn: SignedIn) => Standing
}

/**
 * Returns how long to wait before the next try. The wait doubles with each failure in a row, and a random part of it spreads the
 * agents of a platform that comes back.
 * @param failures in a row, from 1
 */
export function delayAfter(failures: number, random: number): Millis {
  const most = Math.min(firstDelay * 2 ** (failures - 1), longestDelay)
  return most / 2 + (most / 2) * random
}

/**
 * Keeps tunnels open until it is told to stop, however often they are lost. It opens one after the other, so that many agents of a platform that
 * comes back have their first one soon. If the platform asks a tunnel to go elsewhere, opens another one, and lets the old one end by itself.
 * @param stopping aborts when the agent shall stop. Open streams may end for `drainTime`
 */
export async function stayConnected({ clock, random, log, tunnels, connect, serve }: StayDeps, stopping: AbortSignal): Promise<void> {
  const open = new Set<Standing>()
  /** Those of them that take new streams. */
  const standing = new Set<Standing>()
  /** Tries in a row without a tunnel. */
  let failures = 0
  /** Tunnels in a row that ended soon. Not counted in `failures`, so that agents of a restarting Tocsin come back quickly. */
  let brief = 0
  /** Whether a tunnel was opened since `brief` was counted last. Those that end together count once. */
  let counts = false
  let missing = Promise.withResolvers<void>()
  const wait = (delay: Millis): Promise<void> => clock.sleep(delay, stopping).catch(() => {})
  stopping.addEventListener('abort', () => missing.resolve())

  const keep = (tunnel: Standing): void => {
    const began = clock.now()
    open.add(tunnel)
    standing.add(tunnel)
    // A platform that asks the agent to go elsewhere again and again must not fill its memory.
    const [oldest] = open
    if (open.size > tunnels * mostForEach) oldest?.cut()
    void tunnel.gone.then(() => open.delete(tunnel))
    void Promise.race([tunnel.gone, tunnel.left]).then(() => {
      standing.delete(tunnel)
      // A tunnel that ends at once, again and again, must not become a storm.
      if (clock.now() - began > steady) brief = 1
      else if (counts) brief += 1
      counts = false
      if (stopping.aborted) return
      log(open.has(tunnel) ? 'the platform asks to connect elsewhere' : 'the connection to the platform was lost', { tunnels: standing.size })
      missing.resolve()
    })
  }

  while (!stopping.aborted) {
    try {
      const signedIn = await connect()
      failures = 0
      counts = true
      keep(serve(signedIn))
      log('connected to the platform', { name: signedIn.name, platform: signedIn.version, tunnels: standing.size })
      if (standing.size >= tunnels) {
        missing = Promise.withResolvers()
        if (stopping.aborted) break
        await missing.promise
      }
      await wait(delayAfter(Math.max(brief, 1), random()))
    } catch (error) {
      failures += 1
      const refused = error instanceof SignInRefused && error.code !== 'unavailable'
      const delay = refused ? refusedDelay : delayAfter(failures, random())
      if (stopping.aborted) break
      log(error instanceof SignInRefused ? 'the platform refuses this agent' : 'could not connect to the platform', {
        why: reasonOf(error),
        again_in_ms: Math.round(delay),
      })
      await wait(delay)
    }
  }

  log('stopping', { streams_may_end_within_ms: drainTime })
  for (const tunnel of open) tunnel.leave()
  const cancel = clock.after(drainTime, () => {
    for (const tunnel of open) tunnel.cut()
  })
  await Promise.all([...open].map(({ gone }) => gone))
  cancel()
}

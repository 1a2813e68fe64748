import { lookup } from 'node:dns'
import { networkInterfaces, uptime } from 'node:os'
import type { Clock, Millis } from '../../domain/index.ts'
import { Names } from './names.ts'

/** The clock of the agent's machine. The runtime's own would load its settings and what they need. */
export const agentClock: Clock = {
  now: () => Date.now(),
  sleep: (delay, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason)
      const stop = (): void => {
        clearTimeout(timer)
        reject(signal?.reason)
      }
      const timer = setTimeout(() => {
        signal?.removeEventListener('abort', stop)
        resolve()
      }, delay)
      signal?.addEventListener('abort', stop, { once: true })
    }),
  after(delay, action) {
    const timer = setTimeout(action, delay)
    return () => clearTimeout(timer)
  },
  every(period, action) {
    const timer = setInterval(action, period)
    timer.unref()
    return () => clearInterval(timer)
  },
}

/** The names that the system of this machine knows. All tunnels share it, as they share its threads. */
export const systemNames = new Names(lookup)

/** Milliseconds since the machine was booted. On Linux, this includes the time that it slept (CLOCK_BOOTTIME). */
export function machineUptime(): Millis {
  return uptime() * 1_000
}

/** The addresses of this machine at the moment. */
export function machineAddresses(): readonly string[] {
  return Object.values(networkInterfaces()).flatMap((of) => of?.map(({ address }) => address) ?? [])
}

import { systemClock } from '../../runtime/config/index.ts'

/** A page of a list that was asked for again and again. Times in milliseconds. */
export interface Timed {
  readonly page: string
  readonly p50: number
  readonly p99: number
  readonly worst: number
  /** The median of this process's processor time. */
  readonly cpu: number
  readonly items: number
}

export function header(): void {
  console.log(`${'milliseconds'.padEnd(62)} ${'p50'.padStart(8)} ${'p99'.padStart(8)} ${'worst'.padStart(8)} ${'cpu'.padStart(8)} items`)
}

/** Asks for a page `rounds` times, and prints how long it took. */
export async function measure(page: string, rounds: number, ask: () => Promise<{ readonly items: readonly unknown[] }>): Promise<Timed> {
  const [times, used]: [number[], number[]] = [[], []]
  let items = 0
  const from = performance.now()
  // A slow page is asked for less often, or the whole takes hours.
  while (times.length < rounds && (times.length < 3 || performance.now() - from < 10_000)) {
    const [asked, before] = [performance.now(), process.cpuUsage()]
    items = (await ask()).items.length
    times.push(performance.now() - asked)
    const { user, system } = process.cpuUsage(before)
    used.push((user + system) / 1_000)
  }
  for (const list of [times, used]) list.sort((a, b) => a - b)
  const at = (part: number): number => Number((times[Math.min(times.length - 1, Math.floor(times.length * part))] ?? 0).toFixed(1))
  const timed = { page, p50: at(0.5), p99: at(0.99), worst: at(1), cpu: Number((used[Math.floor(used.length / 2)] ?? 0).toFixed(1)), items }
  console.log(
    `${page.padEnd(62)} ${String(timed.p50).padStart(8)} ${String(timed.p99).padStart(8)} ${String(timed.worst).padStart(8)} ${String(timed.cpu).padStart(8)} ${items}`,
  )
  return timed
}

/** Asks for something small every few milliseconds until stopped. Returns the longest wait. */
export function disturb(ask: () => Promise<unknown>): () => Promise<number> {
  let stopped = false
  const longest = (async () => {
    let most = 0
    while (!stopped) {
      const asked = performance.now()
      await ask()
      most = Math.max(most, performance.now() - asked)
      await systemClock.sleep(3)
    }
    return Number(most.toFixed(1))
  })()
  return () => {
    stopped = true
    return longest
  }
}

/** Pseudo-random numbers that are the same in every run. */
export function hash(n: number): number {
  let x = Math.imul(n + 1, 0x9e3779b1)
  x = Math.imul(x ^ (x >>> 15), 0x85ebca6b)
  x = Math.imul(x ^ (x >>> 13), 0xc2b2ae35)
  return (x ^ (x >>> 16)) >>> 0
}

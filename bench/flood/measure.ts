import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Load, Posted } from '../load.ts'
import { startChild } from '../table/child.ts'
import { median } from '../table/median.ts'
import type { Started } from '../table/tocsin.ts'
import { processorTime } from '../usage.ts'

/** A flood of alerts of one type. */
export interface Flood {
  readonly name: string
  /** The organization that it comes from. The timed alerts come from `BENCH`. */
  readonly organization: string
  readonly connections: number
  /** How many alerts it leaves waiting. 0: it posts without pause, each connection when its last run has ended. */
  readonly alerts: number
}

/** What a flood does to the alerts of another type or organization, and how fast it is itself. */
export interface Beside {
  /** The time from the POST of one alert to the end of its run, while nothing else happens. Median, in milliseconds. */
  readonly alone: number
  /** The same beside the flood. */
  readonly beside: number
  /** The same, which one in ten exceeds. */
  readonly besideP90: number
  /** Runs of the flood in a second. */
  readonly runs: number
  /** Processor time of Tocsin for one run, in milliseconds. */
  readonly processor: number
}

/** The status of an alert whose run is done. */
const done = 15
const sender = fileURLToPath(new URL('sender.ts', import.meta.url))

/** The pause between two timed alerts, in milliseconds. */
const pause = 50

/** Posts alerts one at a time, each a moment after the run of the last one has ended. Returns how long each took, in milliseconds, sorted. */
async function times(load: Load, count: number): Promise<readonly number[]> {
  const all: number[] = []
  const body = { alert_content: '{"title":"Timed"}', alert_provider: 'BENCH', organization_code: 'BENCH', alert_type: 'timed' }
  while (all.length < count) {
    const began = performance.now()
    const { investigation_status: status } = (await load.call('POST', '/platformapi/alerts', body, { prefer: 'wait=60' })) as Posted
    if (status !== done) throw new Error(`a run ended with the status ${status}`)
    all.push(performance.now() - began)
    await sleep(pause)
  }
  return all.sort((a, b) => a - b)
}

/** Returns how many runs of the flood have ended: its alerts have numbers without gaps, and its runs begin in their order. */
async function ended(load: Load, organization: string): Promise<number> {
  const path = `/platformapi/alerts?organization=${organization}&type=flood&limit=1&status=completed`
  const { items } = (await load.call('GET', path)) as { readonly items: readonly Posted[] }
  return Number(/\d+$/.exec(items[0]?.alert_id ?? '')?.[0] ?? 0)
}

/**
 * Times alerts alone and beside a flood. The flood comes from a process of its own.
 * @param timed how many alerts it times
 * @throws if the flood was over before all alerts were timed
 */
export async function measure({ load, url, processes }: Started, key: string, flood: Flood, timed: number): Promise<Beside> {
  const processor = (): number => processes.reduce((sum, pid) => sum + processorTime(pid), 0)
  await times(load, 20)
  const alone = median(await times(load, timed))
  const { organization, connections, alerts } = flood
  const before = await ended(load, organization)
  const child = await startChild(sender, [url, key, organization, String(connections), String(alerts)])
  try {
    const from = { at: performance.now(), runs: await ended(load, organization), processor: processor() }
    const beside = await times(load, timed)
    const to = { at: performance.now(), runs: await ended(load, organization), processor: processor() }
    if (alerts > 0 && to.runs >= before + alerts) throw new Error(`the flood of ${alerts} alerts was over too early`)
    const runs = to.runs - from.runs
    return {
      alone,
      beside: median(beside),
      besideP90: beside[Math.floor(timed * 0.9)] ?? Number.NaN,
      runs: (runs * 1000) / (to.at - from.at),
      processor: (to.processor - from.processor) / (runs + timed),
    }
  } finally {
    await child.stop()
    while ((await ended(load, organization)) < before + alerts) await sleep(100)
  }
}

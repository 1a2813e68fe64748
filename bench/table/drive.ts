import { setTimeout as sleep } from 'node:timers/promises'
import type { Load, Posted } from '../load.ts'
import { median } from './median.ts'
import { connections } from './subject.ts'

const filler = 'lorem ipsum dolor sit amet consectetur adipiscing elit sed do eiusmod tempor incididunt ut labore et dolore magna aliqua '.repeat(6)
/** The statuses of an alert whose run has not ended. */
const open = ['created', 'submitted', 'inprogress']
/** The status of an alert whose run is done. */
const done = 15
/** The part of the alerts that comes first and does not count. */
const warmUp = 0.1

/** Makes the body of a POST. It has 1 KB. */
function alertOf(type: string, content: object): object {
  const text = JSON.stringify({ title: 'Bench alert', item: 'item', ...content, note: filler })
  return { alert_content: text, alert_provider: 'BENCH', organization_code: 'BENCH', alert_type: type }
}

/** Both in seconds. */
export interface Flood {
  readonly count: number
  /** Until the last alert was acknowledged. */
  readonly acknowledged: number
  /** Until the last run had ended. */
  readonly all: number
}

/** Posts alerts on all connections for some seconds, and waits until all runs have ended. */
export async function flood(load: Load, type: string, content: (index: number) => object, seconds: number): Promise<Flood> {
  const began = performance.now()
  const since = (): number => (performance.now() - began) / 1000
  let count = 0
  const one = async (): Promise<void> => {
    while (since() < seconds) await load.post(JSON.stringify(alertOf(type, content(count++))))
  }
  await Promise.all(Array.from({ length: connections }, one))
  const acknowledged = since()
  await ended(load, type)
  return { count, acknowledged, all: since() }
}

/** Waits until all runs of a type have ended. @throws if one failed */
async function ended(load: Load, type: string): Promise<void> {
  const some = async (statuses: readonly string[]): Promise<boolean> =>
    ((await load.call('GET', `${pathOf('alerts', type, statuses)}&limit=1`)) as { items: unknown[] }).items.length > 0
  while (await some(open)) await sleep(50)
  if (await some(['failed'])) throw new Error(`runs of ${type} failed, so nothing was measured`)
}

function pathOf(list: 'alerts' | 'alerts/count', type: string, statuses: readonly string[]): string {
  return `/platformapi/${list}?type=${type}${statuses.map((status) => `&status=${status}`).join('')}`
}

/** Posts so many alerts, and returns how many runs end in a second from then on, until the last one has ended. */
export async function backlog(load: Load, type: string, content: (index: number) => object, alerts: number): Promise<number> {
  let next = 0
  const one = async (): Promise<void> => {
    while (next < alerts) await load.post(JSON.stringify(alertOf(type, content(next++))))
  }
  await Promise.all(Array.from({ length: connections }, one))
  const began = performance.now()
  const { count } = (await load.call('GET', pathOf('alerts/count', type, open))) as { count: number }
  await ended(load, type)
  return (1000 * count) / (performance.now() - began)
}

/** Posts alerts one at a time, and returns the median time from the POST to the end of the run, in milliseconds. */
export async function timed(load: Load, type: string, alerts: number, content: (index: number) => object): Promise<number> {
  const times: number[] = []
  for (let index = -Math.ceil(alerts * warmUp); index < alerts; index++) {
    const at = performance.now()
    const alert = (await load.call('POST', '/platformapi/alerts', alertOf(type, content(index)), { prefer: 'wait=60' })) as Posted
    if (alert.investigation_status !== done) throw new Error(`a run of ${type} ended with the status ${alert.investigation_status}`)
    if (index >= 0) times.push(performance.now() - at)
  }
  return median(times)
}

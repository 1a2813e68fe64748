import { contentOf, type FloorAlert } from './alert.ts'
import type { FloorRecord } from './record.ts'
import type { SystemClient } from './system-client.ts'

/** How many runs go on at the same time. */
export const concurrency = 64

/** The calls that runs make. */
export type System = Pick<SystemClient, 'enrich' | 'act'>

/** Runs one alert. Does by hand what the playbooks in `bench/table/playbooks` say. */
export async function run(alert: FloorAlert, record: FloorRecord, system: System): Promise<void> {
  const { item, act, items } = contentOf(alert.content)
  if (!(await record.claim(alert))) return
  if (alert.type === 'bench_run') await investigate(alert, item, act, record, system)
  else
    for (const sequence of items.keys()) {
      if (alert.type === 'bench_reads') await system.enrich(item)
      await record.step(alert, sequence)
    }
  await record.end(alert)
}

async function investigate(alert: FloorAlert, item: string, act: boolean, record: FloorRecord, system: System): Promise<void> {
  const read = await system.enrich(item)
  await record.note(alert, 0, { kind: 'read', value: read })
  if (!act || read.id !== item) return
  await record.note(alert, 1, { kind: 'intent', value: { item } })
  await record.note(alert, 2, { kind: 'outcome', value: await system.act(item) })
}

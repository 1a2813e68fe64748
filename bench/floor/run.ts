import type { Job } from 'bullmq'
import { contentOf, type FloorAlert } from './alert.ts'
import type { FloorRecord } from './record.ts'
import type { SystemClient } from './system-client.ts'

/** Runs one alert. Does by hand what the playbooks in `bench/table/playbooks` say. */
export async function run(job: Job<FloorAlert>, record: FloorRecord, system: SystemClient): Promise<void> {
  const alert = job.data
  const { item, act, items } = contentOf(alert.content)
  if (!(await record.claim(alert))) return
  if (alert.type === 'bench_run') await investigate(alert, item, act, record, system)
  else
    for (const sequence of items.keys()) {
      if (alert.type === 'bench_reads') await system.enrich(item)
      await record.step(job, alert, sequence)
    }
  await record.end(alert)
}

async function investigate(alert: FloorAlert, item: string, act: boolean, record: FloorRecord, system: SystemClient): Promise<void> {
  const read = await system.enrich(item)
  await record.note(alert, 0, { kind: 'read', value: read })
  if (!act || read.id !== item) return
  await record.note(alert, 1, { kind: 'intent', value: { item } })
  await record.note(alert, 2, { kind: 'outcome', value: await system.act(item) })
}

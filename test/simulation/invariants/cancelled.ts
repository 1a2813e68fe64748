import { callKeyOf } from './calls.ts'
import type { Evidence, Life } from './evidence.ts'

/**
 * Checks that nothing of a cancelled run begins after the cancellation was acknowledged, and that it ends as
 * cancelled.
 */
export function judgeCancelled({ world, operators, system, scenario }: Evidence, lives: readonly Life[]): void {
  for (const { run: id, at } of operators.cancelled) {
    const life = lives.find(({ run }) => run.id === id)
    if (!life) continue
    const { run, journal } = life
    if (run.failure?.code !== 'run_cancelled') world.fail(`${id} was cancelled, and ended as ${run.failure?.code ?? run.state}`)
    for (const { epoch, position, records } of journal) {
      for (const record of records) {
        if (record.kind !== 'intent' || record.try > 1 || record.at <= at + 2 * scenario.skew) continue
        // The process that wrote the intent found the cancellation before it. If it lives on, it records that
        // the write was not sent.
        const later = journal.filter((entry) => entry.position >= position).flatMap((entry) => entry.records)
        const held = later.some((other) => other.kind === 'tried' && other.address === record.address && other.code === 'run_cancelled')
        const died = !journal.some((entry) => entry.position > position && entry.epoch === epoch)
        const sent = system.arrivals.has(callKeyOf(id, record.address))
        if (sent || !(held || died)) world.fail(`${id} ${record.address} began after the run was cancelled`)
      }
    }
  }
}

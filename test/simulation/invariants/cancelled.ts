import type { Evidence, Life } from './judge.ts'

/** Of a run that somebody cancelled, nothing begins after that was answered, and it ends as cancelled. */
export function judgeCancelled({ world, operators, scenario }: Evidence, lives: readonly Life[]): void {
  for (const { run: id, at } of operators.cancelled) {
    const life = lives.find(({ run }) => run.id === id)
    if (!life) continue
    const { run, journal } = life
    if (run.failure?.code !== 'run_cancelled') world.fail(`${id} was cancelled, and ended as ${run.failure?.code ?? run.state}`)
    const records = journal.flatMap((entry) => entry.records)
    for (const record of records) {
      if (record.kind !== 'intent' || record.try > 1 || record.at <= at + 2 * scenario.skew) continue
      // What was in the log when the cancellation came is told as not sent.
      const held = records.some((other) => other.kind === 'tried' && other.address === record.address && other.code === 'run_cancelled')
      if (!held) world.fail(`${id} ${record.address} began after the run was cancelled`)
    }
  }
}

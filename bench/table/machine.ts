import { cpus, loadavg } from 'node:os'

/** The machine that measures. */
export interface Machine {
  readonly node: string
  readonly cores: number
  readonly model: string
  /** How many processes ran or waited for a processor, in the mean of the last 1, 5 and 15 minutes. */
  readonly load: readonly number[]
}

export function thisMachine(): Machine {
  const all = cpus()
  return {
    node: process.version,
    cores: all.length,
    model: all[0]?.model.trim() ?? '',
    load: loadavg().map((load) => Number(load.toFixed(1))),
  }
}

import { existsSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** The period over which the kernel counts a share, in microseconds. Short, so that a process never waits long for the next one. */
const period = 10_000

/** A share of a processor that one process may use. */
export interface Share {
  /** Holds a process to the share from now on, with all of its threads. */
  hold(pid: number): void
  /** Ends it. The process must have ended. */
  close(): void
}

/**
 * Makes a share, as a control group of the kernel (v1 or v2). Linux, as root.
 * @param processors how many processors, such as 0.25
 * @throws if the kernel does not offer it
 */
export function openShare(name: string, processors: number): Share {
  const quota = Math.round(period * processors)
  const first = '/sys/fs/cgroup/cpu'
  const second = '/sys/fs/cgroup'
  const group = join(existsSync(first) ? first : second, name)
  try {
    mkdirSync(group)
    if (existsSync(first)) {
      writeFileSync(join(group, 'cpu.cfs_period_us'), String(period))
      writeFileSync(join(group, 'cpu.cfs_quota_us'), String(quota))
    } else writeFileSync(join(group, 'cpu.max'), `${quota} ${period}`)
  } catch (error) {
    throw new Error(`A control group for processor time could not be made in ${group}. Run this on Linux, as root.`, { cause: error })
  }
  return {
    hold: (pid) => writeFileSync(join(group, 'cgroup.procs'), String(pid)),
    close: () => rmdirSync(group),
  }
}

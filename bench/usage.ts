import { readdirSync, readFileSync } from 'node:fs'

/** Returns the processor time that a process has used, in milliseconds. Linux only. */
export function processorTime(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  // Ticks of a hundredth of a second (proc(5), fields 14 and 15).
  return (Number(fields[11]) + Number(fields[12])) * 10
}

/** Returns the most resident memory that a process has had, in MB. Linux only. */
export function peakMemory(pid: number): number {
  return Number(/^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024
}

/** Returns the resident memory that a process has now, in MB. Linux only. */
export function residentMemory(pid: number): number {
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024
}

/** Returns a process and those that it has started. Linux only. */
export function withChildren(pid: number): readonly number[] {
  const tasks = readdirSync(`/proc/${pid}/task`)
  return [pid, ...tasks.flatMap((task) => readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean).map(Number))]
}

import type { Job } from '../port.ts'

/** Returns whether something that Redis had is a job of this version. */
export function isJob(data: unknown): data is Job {
  if (typeof data !== 'object' || data === null) return false
  const { run, alert, organization, type, attempt, sealed = '' } = data as Record<string, unknown>
  return [run, alert, organization, type, sealed].every((value) => typeof value === 'string') && typeof attempt === 'number'
}

import type { Json } from '../../domain/index.ts'
import type { ReplayContext } from '../run/contexts.ts'

/** Takes a decision that a replay must repeat from the journal. If it is not there, makes it now and records it. */
export function decide<T extends Json>(execution: ReplayContext, address: string, make: () => T): T {
  const standing = execution.replay.decision(address)
  if (standing !== undefined) return standing as T
  const value = make()
  execution.journal.defer({ kind: 'decided', address, value })
  return value
}

/** Does the same as `decide` for an asynchronous decision. */
export async function decided<T extends Json>(execution: ReplayContext, address: string, make: () => Promise<T>): Promise<T> {
  const standing = execution.replay.decision(address)
  if (standing !== undefined) return standing as T
  const value = await make()
  execution.journal.defer({ kind: 'decided', address, value })
  return value
}

import { hash } from 'node:crypto'
import type { RunId } from '../../../runtime/domain/index.ts'

/** Computes the same key as `callKey` of the engine: it names one step of one run to the external system. */
export function callKeyOf(run: RunId, address: string): string {
  return hash('sha256', `${run}#${address}`, 'hex').slice(0, 32)
}

import { hash } from 'node:crypto'
import type { RunId } from '../../../runtime/domain/index.ts'

/** As `callKey` of the engine: names one step of one run to the external system. */
export function callKeyOf(run: RunId, address: string): string {
  return hash('sha256', `${run}#${address}`, 'hex').slice(0, 32)
}

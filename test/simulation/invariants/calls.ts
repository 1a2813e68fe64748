import { createHash } from 'node:crypto'
import type { RunId } from '../../../runtime/domain/index.ts'

/** As `callKey` of the engine: names one step of one run to the external system. */
export function callKeyOf(run: RunId, address: string): string {
  return createHash('sha256').update(`${run}#${address}`).digest('hex').slice(0, 32)
}

import type { Handler } from '@tocsin/plugin'
import { type Operation, sendInRequests } from '../lib/bulk.ts'

interface Input {
  readonly operations: readonly Operation[]
}

/** Sends the operations in requests of 200, and reports the outcome of each operation. */
export default (async ({ input, http, log, partial }) => {
  const { operations } = input
  const send = async (part: readonly object[]): Promise<unknown> => (await http.post('/trusted-entities/bulk', { operations: part })).body
  const results = await sendInRequests(operations, send, (known) => {
    log.info('operations processed', { sent: known.length, of: operations.length })
    partial({ results: known })
  })
  return { results }
}) satisfies Handler<Input>

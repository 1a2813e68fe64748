import type { Handler } from '@tocsin/plugin'
import { countsOf, type Operation, sendInRequests } from '../lib/bulk.ts'

interface Input {
  readonly operations: readonly Operation[]
}

/** Sends the operations in requests of 200 and tells of each what became of it. */
export default (async ({ input, http, log }) => {
  const { operations } = input
  const send = async (part: readonly object[]): Promise<unknown> => (await http.post('/trusted-entities/bulk', { operations: part })).body
  const results = await sendInRequests(operations, send, (sent) => log.info('operations dealt with', { sent, of: operations.length }))
  const counts = countsOf(results)
  return { results, all_done: counts.done === operations.length, ...counts }
}) satisfies Handler<Input>

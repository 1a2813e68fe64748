import type { Handler } from '@tocsin/plugin'
import { marked } from '../lib/marks.ts'

interface Input {
  readonly message_ids: readonly string[]
  readonly reason?: string
}

/** Reports messages as suspicious, and returns the outcome of each as far as the platform says. */
export default (async ({ input, http }) => {
  const { message_ids, reason } = input
  const { body } = await http.post('/messages/mark-suspicious', { messageIds: message_ids, ...(reason !== undefined && { reason }) })
  return marked(message_ids, body)
}) satisfies Handler<Input>

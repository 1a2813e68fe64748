import type { Handler } from '@tocsin/plugin'
import { marked } from '../lib/marks.ts'

interface Input {
  readonly message_ids: readonly string[]
  readonly sensitive: boolean
  readonly reason?: string
}

/** Marks messages, and reports the outcome of each as far as the platform says. */
export default (async ({ input, http }) => {
  const { message_ids, sensitive, reason } = input
  const change = { messageIds: message_ids, sensitive, ...(reason !== undefined && { reason }) }
  const { body } = await http.post('/messages/mark-sensitive', change)
  return marked(message_ids, body, sensitive)
}) satisfies Handler<Input>

import type { FastifyReply } from 'fastify'
import { TocsinError } from '../../errors/index.ts'

/** Returns a signal that aborts if the client goes away before it has its answer. */
export function whileOpen({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController()
  const abort = (): void => gone.abort(new TocsinError('request_malformed', 'The client went away before it had its answer.'))
  if (raw.destroyed) abort()
  else raw.once('close', abort)
  return gone.signal
}

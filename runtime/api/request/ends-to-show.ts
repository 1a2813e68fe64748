import type { FastifyRequest } from 'fastify'
import type { Investigations } from '../../ingest/index.ts'

/**
 * Returns what a request waits for, so that whoever was told of an end also reads it: some milliseconds at most. Null:
 * nothing. A new alert waits for nothing, because its request reads no other alert.
 */
export function endsToShow({ routeOptions, headers }: FastifyRequest, investigations: Pick<Investigations, 'shown'>): Promise<unknown> | null {
  const isNew = routeOptions.config.operation?.id === 'createAlert' && headers['idempotency-key'] === undefined
  return isNew ? null : investigations.shown()
}

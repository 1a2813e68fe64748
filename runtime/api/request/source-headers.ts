import type { FastifyRequest } from 'fastify'
import { TocsinError } from '../../errors/index.ts'

const header = 'idempotency-key'

/** Returns whether a text can be a key: 1 to 255 printable ASCII characters. */
export function isIdempotencyKey(value: string): boolean {
  return /^[\x20-\x7e]{1,255}$/.test(value)
}

/**
 * Returns the `Idempotency-Key` of a request, or null if it has none.
 * @throws TocsinError `idempotency_key_invalid`
 */
export function idempotencyKeyOf(request: FastifyRequest): string | null {
  const value = request.headers[header]
  if (value === undefined) return null
  if (typeof value !== 'string' || !isIdempotencyKey(value)) {
    throw new TocsinError('idempotency_key_invalid', 'The header Idempotency-Key needs 1 to 255 printable ASCII characters.')
  }
  // Node joins repeated headers with a comma. A single key may have a comma, too, so look at the raw headers.
  if (value.includes(', ') && timesSent(request) > 1) {
    throw new TocsinError('idempotency_key_invalid', 'The header Idempotency-Key is sent more than once.')
  }
  return value
}

function timesSent(request: FastifyRequest): number {
  return request.raw.rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === header).length
}

/** Refuses the header on a batch. Each item of a batch has its own key; a key for the batch would protect nothing, but the sender expects it to. */
export function refuseIdempotencyKey(request: FastifyRequest): void {
  if (request.headers[header] !== undefined) {
    throw new TocsinError('idempotency_key_invalid', 'A batch takes idempotency_key in each item, not the header.')
  }
}

/** Returns the header `traceparent` (W3C Trace Context) as it was sent, or null. Whoever uses it checks it. */
export function traceparentOf({ headers: { traceparent } }: FastifyRequest): string | null {
  return typeof traceparent === 'string' ? traceparent : null
}

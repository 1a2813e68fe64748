import type { FastifyReply, FastifyRequest } from 'fastify'
import { isTocsinError, TocsinError } from '../../errors/index.ts'
import type { StoreFailureLog } from '../../telemetry/index.ts'
import { onEveryAnswer } from './headers.ts'
import { problemOf, problemType } from './problem.ts'

/** `Retry-After` in seconds if the store or the server is busy. */
const retryAfter = 1
/** `Retry-After` in seconds after too many wrong keys: then one more key is checked. */
const retryAfterWrongKeys = 6
/** `Retry-After` in seconds if too many streams are open. */
const retryAfterFull = 15

/**
 * Turns a thrown error into a problem document. Logs errors that are not the sender's fault, with the request id that the sender sees. `not_ready` has a
 * log of its own: it is asked for every few seconds.
 */
export function errorHandler(failures: StoreFailureLog): (error: unknown, request: FastifyRequest, reply: FastifyReply) => FastifyReply {
  return (thrown, request, reply) => {
    const error = toTocsinError(thrown, request)
    const { status } = error.entry
    if (status >= 500 && error.code !== 'not_ready') {
      const level = status === 503 ? 'warn' : 'error'
      const fields = { err: thrown, code: error.code, request_id: request.id, operation: request.routeOptions.config.operation?.id }
      failures.log(level, error, fields, 'request failed')
    }
    if (status === 401) reply.header('www-authenticate', challenge(error))
    if (status === 503) reply.header('retry-after', retryAfter)
    if (error.code === 'feed_full') reply.header('retry-after', retryAfterFull)
    if (error.code === 'key_attempts_exceeded') reply.header('retry-after', retryAfterWrongKeys)
    if (error.code === 'body_too_large' && isDrainable(request)) reply.removeHeader('connection')
    // Set here, too: no hook runs if the error comes before a route is found.
    for (const [name, value] of Object.entries(onEveryAnswer)) reply.header(name, value)
    // As bytes, because Fastify adds a charset to the type of a text, and this type has none.
    const bytes = Buffer.from(JSON.stringify(problemOf(error, request.id)))
    return reply.code(status).header('content-type', problemType).send(bytes)
  }
}

function challenge(error: TocsinError): string {
  return error.code === 'key_rejected' ? 'Bearer realm="tocsin", error="invalid_token"' : 'Bearer realm="tocsin"'
}

/**
 * Returns whether to read and discard the rest of a body that is too large. Closing at once would reset the connection of a sender that is
 * still writing, and it would never see the answer.
 */
function isDrainable(request: FastifyRequest): boolean {
  const length = Number(request.headers['content-length'])
  return length > 0 && length <= 67_108_864
}

function toTocsinError(thrown: unknown, request: FastifyRequest): TocsinError {
  if (isTocsinError(thrown)) return thrown
  const code = codeOf(thrown)
  switch (code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new TocsinError('body_too_large', `The body is larger than ${request.routeOptions.bodyLimit} bytes.`)
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new TocsinError('media_type_unsupported', 'The body needs Content-Type: application/json.')
    case 'FST_ERR_BAD_URL':
      return new TocsinError('path_invalid', 'The path is not valid percent-encoded UTF-8.')
    case 'FST_ERR_NOT_FOUND':
      return new TocsinError('route_unknown', 'No operation has this method and path.')
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
    case 'ECONNRESET':
      return new TocsinError('request_malformed', 'The body is not as long as Content-Length says.')
    default:
      return new TocsinError('internal', 'Tocsin failed unexpectedly. The log has the error under the request id.', [], { cause: thrown })
  }
}

function codeOf(thrown: unknown): string | null {
  return typeof thrown === 'object' && thrown !== null && 'code' in thrown && typeof thrown.code === 'string' ? thrown.code : null
}

import type { FastifyRequest, preParsingHookHandler, preValidationHookHandler } from 'fastify'
import { type Release, slotsFor } from '../../fairness/index.ts'
import { ownerOf } from '../auth/index.ts'
import { bodiesAtOnce, largeBodiesAtOnce, smallBody } from '../limits.ts'

/** One hook waits for room before a body is read. The other gives the room back when the body has been parsed. */
interface BodyRoom {
  readonly preParsing: preParsingHookHandler
  readonly preValidation: preValidationHookHandler
}

/**
 * Limits how many large bodies are in memory before they are parsed, so that slow senders cannot fill it. The next body is not read until
 * there is room, so its sender waits. Organizations share the room.
 * @param usual how many bytes a body may have on most routes; some routes allow more
 */
export function bodyRoom(usual: number): BodyRoom {
  const room = { usual: slotsFor(bodiesAtOnce), large: slotsFor(largeBodiesAtOnce) }
  const held = new WeakMap<FastifyRequest, Release>()
  return {
    preParsing(request, { raw: response }, _payload, done) {
      const size = sizeOf(request)
      if (size <= smallBody) {
        done()
        return
      }
      const owner = request.caller === null ? '' : ownerOf(request.caller.principal)
      void room[size > usual ? 'large' : 'usual'].take(owner).then((release) => {
        if (request.raw.destroyed) {
          // The client is gone.
          release()
          return
        }
        held.set(request, release)
        response.once('finish', release).once('close', release)
        done()
      })
    },
    preValidation(request, _reply, done) {
      held.get(request)?.()
      done()
    },
  }
}

/** Returns the size that the body announces, or the largest possible one. A body that is too large is refused before it is read. */
function sizeOf({ headers, routeOptions: { bodyLimit } }: FastifyRequest): number {
  if (headers['transfer-encoding'] !== undefined) return bodyLimit
  const announced = Number(headers['content-length'] ?? 0)
  return announced > bodyLimit ? 0 : announced
}

import type { FastifyReply } from 'fastify'
import type { Json } from '../../domain/index.ts'
import type { Turns } from '../../fairness/index.ts'
import { writeJson } from '../../json/index.ts'

export const jsonType = 'application/json; charset=utf-8'

/** How many characters are encoded at once. */
const part = 262_144

/** Encodes an answer that may be large, in turns of the event loop. */
export async function jsonBytes(view: object, turns: Turns, key: string): Promise<Buffer> {
  const text = await writeJson(view as Json, { turns, key })
  if (text.length <= part) return Buffer.from(text)
  // UTF-8 needs at most three bytes for each UTF-16 unit. The operating system provides memory only for bytes that are written.
  const bytes = Buffer.allocUnsafeSlow(3 * text.length)
  let size = 0
  for (let from = 0; from < text.length; ) {
    let to = Math.min(from + part, text.length)
    // Do not cut a surrogate pair: half of it cannot be encoded.
    if ((text.charCodeAt(to) & 0xfc00) === 0xdc00) to += 1
    size += bytes.write(text.slice(from, to), size)
    from = to
    const turn = turns.next(key)
    if (turn) await turn
  }
  return bytes.subarray(0, size)
}

/**
 * Sends an answer that may be large. Writes it in turns of the event loop and without the route's schema, so the view must have exactly
 * the fields of the schema.
 * @param key the owner of the turns: an organization, or the caller
 */
export async function sendJson(reply: FastifyReply, view: object, turns: Turns, key: string): Promise<FastifyReply> {
  return reply.type(jsonType).send(await jsonBytes(view, turns, key))
}

import type { FastifyReply } from 'fastify'
import type { Json } from '../../domain/index.ts'
import type { Turns } from '../../fairness/index.ts'
import { writeJson } from '../../json/index.ts'

export const jsonType = 'application/json; charset=utf-8'

/** Characters that are encoded in one go. */
const part = 262_144

/** An answer that may be large, as bytes. It is written in turns. */
export async function jsonBytes(view: object, turns: Turns, key: string): Promise<Buffer> {
  const text = await writeJson(view as Json, { turns, key })
  if (text.length <= part) return Buffer.from(text)
  // UTF-8 has at most three bytes for each UTF-16 unit. The operating system gives memory only for what is written.
  const bytes = Buffer.allocUnsafeSlow(3 * text.length)
  let size = 0
  for (let from = 0; from < text.length; ) {
    let to = Math.min(from + part, text.length)
    // Half of a pair has no bytes.
    if ((text.charCodeAt(to) & 0xfc00) === 0xdc00) to += 1
    size += bytes.write(text.slice(from, to), size)
    from = to
    const turn = turns.next(key)
    if (turn) await turn
  }
  return bytes.subarray(0, size)
}

/**
 * Sends an answer that may be large. It is written in turns of the event loop and without the route's schema, so the view must have exactly the fields
 * that the schema names.
 * @param key who shares the turns: an organization, or the caller
 */
export async function sendJson(reply: FastifyReply, view: object, turns: Turns, key: string): Promise<FastifyReply> {
  return reply.type(jsonType).send(await jsonBytes(view, turns, key))
}

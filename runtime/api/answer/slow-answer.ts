import { PassThrough } from 'node:stream'
import type { FastifyReply } from 'fastify'
import type { Clock, Millis } from '../../domain/index.ts'
import { jsonType } from './large-json.ts'

/** After this time the answer begins early: clients and proxies close connections that stay silent for a minute or more. */
const patience: Millis = 20_000

/**
 * Answers with the result of `work`. If the work takes long, the answer begins before the result is known: it sends white space, which JSON
 * allows before a value. The status is then 200 already, so a failure must be part of the body.
 * @param late makes the body for a failure after the answer has begun
 * @param write makes JSON of a result, which may be large
 * @param begun once it resolves, the answer begins at once. A browser may send a request a second time if the connection is cut before the
 * answer begins. A write must not be sent twice
 */
export async function answeredSlowly<View extends object>(
  reply: FastifyReply,
  clock: Clock,
  work: Promise<View>,
  late: (error: unknown) => View,
  write: (view: View) => Promise<Buffer>,
  begun: Promise<null> | null = null,
): Promise<FastifyReply> {
  let cancel = (): void => {}
  const tired = new Promise<null>((resolve) => {
    cancel = clock.after(patience, () => resolve(null))
  })
  try {
    const view = await Promise.race([work, tired, ...(begun ? [begun] : [])])
    if (view !== null) return reply.type(jsonType).send(await write(view))
  } finally {
    cancel()
  }
  const body = new PassThrough()
  body.write(' ')
  const still = clock.every(patience, () => body.write(' '))
  const end = async (view: View): Promise<void> => {
    const bytes = await write(view)
    still()
    body.end(bytes)
  }
  // The work continues if the client goes away: the result of a write must be known, and the log gets it.
  body.on('error', () => {})
  work.then(end, (error: unknown) => end(late(error)))
  return reply.type(jsonType).send(body)
}

import { PassThrough } from 'node:stream'
import type { FastifyReply } from 'fastify'
import type { Clock, Millis } from '../../domain/index.ts'
import { jsonType } from './large-json.ts'

/** After this time the answer begins early: clients and proxies give up on connections that stay silent for a minute or more. */
const patience: Millis = 20_000

/**
 * Answers with what `work` comes to. When that takes long, the answer begins before it is known, and white space, which JSON allows before a
 * value, shows that it is being worked on. From then on the status is 200, so what goes wrong must be part of the answer.
 * @param late the answer for a failure after it has begun
 * @param write makes JSON of an answer, which may be large
 */
export async function answeredSlowly<View extends object>(
  reply: FastifyReply,
  clock: Clock,
  work: Promise<View>,
  late: (error: unknown) => View,
  write: (view: View) => Promise<Buffer>,
): Promise<FastifyReply> {
  let cancel = (): void => {}
  const tired = new Promise<null>((resolve) => {
    cancel = clock.after(patience, () => resolve(null))
  })
  try {
    const view = await Promise.race([work, tired])
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
  // Who has gone away does not end the work: a write must be known, and the log has what became of it.
  body.on('error', () => {})
  work.then(end, (error: unknown) => end(late(error)))
  return reply.type(jsonType).send(body)
}

import { isUtf8 } from 'node:buffer'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { TocsinError } from '../../errors/index.ts'
import type { Turns } from '../../fairness/index.ts'
import { decodeInTurns } from '../../json/index.ts'
import { checkEncoding } from './body.ts'

/** Makes a server read every body as text in UTF-8, whatever its type. A byte order mark is dropped. An empty body is `undefined`. */
export function acceptTextBodies(app: FastifyInstance, turns: Turns): void {
  app.removeAllContentTypeParsers()
  // Fastify refuses a malformed Content-Type, such as `json`. Only its charset matters here.
  app.addHook('preParsing', async ({ raw: { headers } }) => {
    const type = headers['content-type']
    if (type !== undefined) headers['content-type'] = type.replace(/^[^;]*/, 'text/plain')
  })
  app.addContentTypeParser('*', { parseAs: 'buffer' }, async (request: FastifyRequest, bytes: string | Buffer) => {
    checkEncoding(request)
    // For parseAs 'buffer', Fastify passes a Buffer, but its types do not say so.
    const body = bytes as Buffer
    if (!isUtf8(body)) throw new TocsinError('body_not_utf8', 'The body has bytes that are not UTF-8.')
    return body.length === 0 ? undefined : decodeInTurns(new TextDecoder(), body, turns, request.caller?.principal.id ?? '')
  })
}

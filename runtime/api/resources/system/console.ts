import type { FastifyReply } from 'fastify'
import { TocsinError } from '../../../errors/index.ts'
import type { Api, ApiContext } from '../../context.ts'

/**
 * The page may load files of this server and talk to this server. No other page may frame it. `data:` allows its empty icon.
 */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** Serves the files of the console to anybody. They hold no data: the page asks the API, with a key. */
export function consoleRoutes(app: Api, { services }: ApiContext): void {
  const send = async (reply: FastifyReply, name: string): Promise<FastifyReply> => {
    const file = (await services.console()).get(name)
    if (!file) throw new TocsinError('route_unknown', `The console has no file ${name}.`)
    return reply
      .header('content-type', file.type)
      .header('content-security-policy', policy)
      .header('x-content-type-options', 'nosniff')
      .header('referrer-policy', 'no-referrer')
      .header('cache-control', name === 'index.html' ? 'no-cache' : 'public, max-age=31536000, immutable')
      .send(file.body)
  }
  const hidden = { schema: { hide: true } }
  app.get('/console', hidden, (_request, reply) => reply.redirect('/console/'))
  app.get('/console/', hidden, (_request, reply) => send(reply, 'index.html'))
  app.get<{ Params: { file: string } }>('/console/:file', hidden, (request, reply) => send(reply, request.params.file))
}

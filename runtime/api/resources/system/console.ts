import { TocsinError } from '../../../errors/index.ts'
import type { Api, ApiContext } from '../../context.ts'

/**
 * The page may load files of this server and talk to this server. No other page may frame it. Its components put the nonce on the styles
 * that they make. `data:` allows its icon.
 */
const policyWith = (nonce: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "font-src 'self'",
    "connect-src 'self'",
    "img-src 'self' data:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
/** The random bytes of a nonce. */
const nonceBytes = 18

/** Serves the files of the console to anybody. They hold no data: the page asks the API, with a key. */
export function consoleRoutes(app: Api, { services }: ApiContext): void {
  const hidden = { schema: { hide: true } }
  // People type the address that a start prints.
  for (const path of ['/', '/console']) app.get(path, hidden, (_request, reply) => reply.redirect('/console/'))
  // Every address of the console is the same page. The page reads its own address and shows what it names.
  app.get('/console/*', hidden, async (_request, reply) => {
    const { page } = await services.console()
    const nonce = services.ids.secret(nonceBytes)
    return reply
      .header('content-type', 'text/html; charset=utf-8')
      .header('content-security-policy', policyWith(nonce))
      .header('x-content-type-options', 'nosniff')
      .header('referrer-policy', 'no-referrer')
      .header('cache-control', 'no-cache')
      .send(page(nonce))
  })
  app.get<{ Params: { file: string } }>('/console/files/:file', hidden, async (request, reply) => {
    const { files } = await services.console()
    const file = files.get(request.params.file)
    if (!file) throw new TocsinError('route_unknown', `The console has no file ${request.params.file}.`)
    const gzipped = acceptsGzip(request.headers['accept-encoding']) ? file.gzipped : null
    if (gzipped) reply.header('content-encoding', 'gzip')
    return reply
      .header('content-type', file.type)
      .header('vary', 'accept-encoding')
      .header('x-content-type-options', 'nosniff')
      .header('cache-control', 'public, max-age=31536000, immutable')
      .send(gzipped ?? file.body)
  })
}

/** Returns whether a request accepts gzip. A quality of 0 refuses it (RFC 9110, 12.5.3). */
function acceptsGzip(header: string | string[] | undefined): boolean {
  return /(?:^|,)\s*gzip\s*(?:;\s*q=(?!0(?:\.0*)?\s*(?:,|$))[\d.]+\s*)?(?:,|$)/i.test(String(header ?? ''))
}

import { fastify, type RouteOptions } from 'fastify'
import { swagger } from '../packages/index.ts'
import type { Api, ApiContext } from './context.ts'
import { described } from './openapi-operation.ts'
import { operation, tags } from './operation.ts'

/**
 * Returns what describes the API as OpenAPI 3.1. Must be called before the routes are registered. The package that does it must be part of a
 * server before that is ready, and a start should not load it. So the description comes from a second server with the same routes, which
 * never listens.
 */
export function describeApi(app: Api, version: string): () => Promise<Buffer> {
  const routes: Pick<RouteOptions, 'method' | 'url' | 'schema' | 'config'>[] = []
  app.addHook('onRoute', ({ method, url, schema = {}, config = {} }) => void routes.push({ method, url, schema, config }))
  const describe = async (): Promise<Buffer> => {
    const second = fastify({ exposeHeadRoutes: false })
    second.setValidatorCompiler(() => () => true)
    second.setSerializerCompiler(() => () => '')
    await second.register(swagger(), {
      openapi: {
        openapi: '3.1.0',
        info: {
          title: 'Tocsin platform API',
          version,
          description: 'Alerts in, investigations run, cases out. Times are integer epoch milliseconds. Errors are problem documents (RFC 9457).',
          license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
        },
        servers: [{ url: '/' }],
        tags: tags.map((name) => ({ name })),
        components: {
          securitySchemes: {
            session: { type: 'apiKey', in: 'cookie', name: 'Session', description: 'The API key as the cookie Session.' },
            bearer: { type: 'http', scheme: 'bearer', description: 'The API key as a bearer token.' },
          },
        },
      },
      convertConstToEnum: false,
      refResolver: { buildLocalReference: (json, _base, _fragment, index) => (typeof json.$id === 'string' ? json.$id : `schema-${index}`) },
      // The routes of the console are not part of the API.
      transform: ({ schema, url, route }) => ({ schema: schema?.hide ? schema : described(schema, route), url }),
    })
    for (const schema of Object.values(app.getSchemas())) second.addSchema(schema)
    for (const route of routes) second.route({ ...route, handler() {} })
    await second.ready()
    // As bytes, so that no request has to encode it again.
    const document = Buffer.from(JSON.stringify(second.swagger()))
    await second.close()
    return document
  }
  let document: Promise<Buffer> | null = null
  return () => {
    document ??= describe().catch((error: unknown) => {
      // The next request tries again.
      document = null
      throw error
    })
    return document
  }
}

export function openapiRoute(app: Api, context: ApiContext): void {
  app.get(
    '/platformapi/openapi.json',
    operation(
      context,
      { id: 'openapi', tag: 'service', summary: 'This description, as OpenAPI 3.1', permission: null },
      {
        querystring: { type: 'object', properties: {}, additionalProperties: false },
      },
    ),
    async (_request, reply) => reply.header('content-type', 'application/json').send(await context.describe()),
  )
}

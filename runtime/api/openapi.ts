import swagger from '@fastify/swagger'
import type { Api, ApiContext } from './context.ts'
import { described } from './openapi-operation.ts'
import { operation, tags } from './operation.ts'

/** Describes the API as OpenAPI 3.1. Must be called before the routes are registered. */
export async function describeApi(app: Api, version: string): Promise<void> {
  await app.register(swagger, {
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
}

export function openapiRoute(app: Api, context: ApiContext): void {
  let document: string | null = null
  app.get(
    '/platformapi/openapi.json',
    operation(
      context,
      { id: 'openapi', tag: 'service', summary: 'This description, as OpenAPI 3.1', permission: null },
      {
        querystring: { type: 'object', properties: {}, additionalProperties: false },
      },
    ),
    async (_request, reply) => {
      document ??= JSON.stringify(app.swagger())
      return reply.header('content-type', 'application/json').send(document)
    },
  )
}

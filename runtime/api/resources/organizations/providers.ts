import { foldCode, type Provider } from '../../../domain/index.ts'
import { TocsinError } from '../../../errors/index.ts'
import { Type } from '../../../schema/index.ts'
import { tellAct } from '../../act.ts'
import { callerOf, requireAllOrganizations } from '../../auth/index.ts'
import type { Api, ApiContext } from '../../context.ts'
import { operation } from '../../operation.ts'
import { cursorsOf, nextCursor, pageParameters } from '../../request/index.ts'
import { pageOf, Time } from '../../schemas.ts'
import { CodeAndNameSchema } from './code-and-name.ts'

export const ProviderSchema = Type.Object(
  { code: Type.String(), name: Type.String(), created_at: Time },
  { $id: 'Provider', description: 'A kind of alert source, known to the whole platform.' },
)

/** Adds `/platformapi/providers`: list and create them. */
export function providerRoutes(app: Api, context: ApiContext): void {
  const { store, clock } = context.services
  const cursors = cursorsOf('providers', null)
  app.addSchema(ProviderSchema)

  app.get(
    '/platformapi/providers',
    operation(
      context,
      { id: 'listProviders', tag: 'providers', summary: 'List the providers, by code', permission: 'providers:read', errors: ['cursor_invalid'] },
      { querystring: Type.Object(pageParameters), response: { 200: pageOf('Provider') } },
    ),
    async (request) => {
      const { cursor, limit } = request.query
      const after = cursor === undefined ? null : String(cursors.decode(cursor)[0])
      const page = await store.providers.list(callerOf(request).scope, { after, limit })
      return { items: page.items.map(providerView), next_cursor: nextCursor(page, cursors, ({ code }) => [foldCode(code)]) }
    },
  )

  app.post(
    '/platformapi/providers',
    operation(
      context,
      {
        id: 'createProvider',
        tag: 'providers',
        summary: 'Create a provider',
        description: 'Providers belong to the whole platform, so this needs a key of all organizations.',
        permission: 'providers:write',
        errors: ['provider_exists', 'organization_forbidden'],
      },
      { body: CodeAndNameSchema, querystring: Type.Object({}), response: { 201: Type.Ref('Provider#') } },
    ),
    async (request, reply) => {
      const caller = callerOf(request)
      requireAllOrganizations(caller)
      const { code, name } = request.body
      const provider: Provider = { code, name, createdAt: clock.now(), createdBy: caller.principal.id }
      if ((await store.providers.create(caller.scope, provider)) === 'exists') {
        throw new TocsinError('provider_exists', 'A provider has this code already.', [{ field: 'code', message: 'is taken' }])
      }
      tellAct(context, request, 'a provider was created', { provider: code, name })
      return reply.code(201).send(providerView(provider))
    },
  )
}

function providerView({ code, name, createdAt }: Provider) {
  return { code, name, created_at: createdAt }
}

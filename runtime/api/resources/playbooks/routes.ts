import type { Activation, Scope } from '../../../domain/index.ts'
import { type PlaybookPlace, placeNamed } from '../../../playbook/index.ts'
import { Type } from '../../../schema/index.ts'
import { callerOf } from '../../auth/index.ts'
import type { Api, ApiContext } from '../../context.ts'
import { operation } from '../../operation.ts'
import { cursorsOf, nextCursor, pageParameters } from '../../request/index.ts'
import { pageOf } from '../../schemas.ts'
import { organizationIdsOf } from '../shared/index.ts'
import { type kinds, PlaybookSchema, placeParameters, playbookViews } from './view.ts'

const ActivePlaybookSchema = Type.Object(
  { ...PlaybookSchema.properties, text: Type.String({ description: 'The YAML.' }) },
  { $id: 'ActivePlaybook', description: 'An active playbook with its text.' },
)

const Key = Type.Object({ key: Type.String({ maxLength: 1_000 }) })

/** Adds `GET /platformapi/playbooks`, one playbook, and its history. */
export function playbookRoutes(app: Api, context: ApiContext): void {
  const { store, playbooks } = context.services
  for (const schema of [PlaybookSchema, ActivePlaybookSchema]) app.addSchema(schema)

  /** @throws TocsinError `organization_unknown` */
  const placeOf = async (scope: Scope, key: string, { organization, kind }: PlaceQuery): Promise<PlaybookPlace> => {
    const [id] = organization === undefined ? [] : await organizationIdsOf(store, scope, [organization], 'organization')
    return placeNamed(kind ?? 'playbook', key, id ?? null)
  }

  app.get(
    '/platformapi/playbooks',
    operation(
      context,
      {
        id: 'listPlaybooks',
        tag: 'playbooks',
        summary: 'List the active playbooks',
        description: "Lists the shared playbooks and the organizations' own, all in one page.",
        permission: 'playbooks:read',
        errors: ['organization_unknown'],
      },
      { querystring: Type.Object(placeParameters), response: { 200: pageOf('Playbook') } },
    ),
    async (request) => {
      const { scope } = callerOf(request)
      const { organization: code, kind } = request.query
      const [organization] = code === undefined ? [] : await organizationIdsOf(store, scope, [code], 'organization')
      const wanted = (each: Activation): boolean =>
        (kind === undefined || each.kind === kind) && (organization === undefined || each.organization === organization)
      return { items: await playbookViews(store, scope, (await playbooks.history.list(scope)).filter(wanted)), next_cursor: null }
    },
  )

  app.get(
    '/platformapi/playbooks/:key',
    operation(
      context,
      {
        id: 'getPlaybook',
        tag: 'playbooks',
        summary: 'Read the active playbook of an alert type, or a sub-playbook',
        description: 'Reads exactly this place. If the organization has no playbook of its own, ask for the shared one without `organization`.',
        permission: 'playbooks:read',
        errors: ['playbook_unknown', 'organization_unknown'],
      },
      { params: Key, querystring: Type.Object(placeParameters), response: { 200: Type.Ref('ActivePlaybook#') } },
    ),
    async (request) => {
      const { scope } = callerOf(request)
      const { activation, text } = await playbooks.history.active(scope, await placeOf(scope, request.params.key, request.query))
      const [view] = await playbookViews(store, scope, [activation])
      return { ...view, text }
    },
  )

  app.get(
    '/platformapi/playbooks/:key/history',
    operation(
      context,
      {
        id: 'listPlaybookHistory',
        tag: 'playbooks',
        summary: 'List all playbooks that were ever active for an alert type, or all versions of a sub-playbook, newest first',
        description: 'Includes withdrawals: after one, nothing was active.',
        permission: 'playbooks:read',
        errors: ['playbook_unknown', 'organization_unknown', 'cursor_invalid'],
      },
      { params: Key, querystring: Type.Object({ ...placeParameters, ...pageParameters }), response: { 200: pageOf('Playbook') } },
    ),
    async (request) => {
      const { scope } = callerOf(request)
      const { cursor, limit, ...query } = request.query
      const place = await placeOf(scope, request.params.key, query)
      const cursors = cursorsOf('playbook history', place)
      const before = cursor === undefined ? Number.POSITIVE_INFINITY : Number(cursors.decode(cursor)[0])
      const rest = (await playbooks.history.of(scope, place)).filter(({ revision }) => revision < before)
      const page = { items: rest.slice(0, limit), more: rest.length > limit }
      return { items: await playbookViews(store, scope, page.items), next_cursor: nextCursor(page, cursors, ({ revision }) => [revision]) }
    },
  )
}

interface PlaceQuery {
  readonly organization?: string
  readonly kind?: (typeof kinds)[number]
}

import { foldCode, type Organization, type OrganizationId, type Scope } from '../../../domain/index.ts'
import { type Examination, type PlaybookPlace, placeNamed } from '../../../playbook/index.ts'
import { slotsOf } from '../../../rehearsal/recorded/index.ts'
import { type Static, Type } from '../../../schema/index.ts'
import type { Page } from '../../../storage/index.ts'
import { callerOf } from '../../auth/index.ts'
import type { Api, ApiContext } from '../../context.ts'
import { operation } from '../../operation.ts'
import { cursorsOf, nextCursor, pageParameters } from '../../request/index.ts'
import { nullable, oneOf, pageOf } from '../../schemas.ts'
import { checkErrors, organizationIdsOf } from '../shared/index.ts'
import { placeParameters } from './view.ts'

export const UseSchema = Type.Object(
  {
    organization_code: Type.String(),
    uses: oneOf(['this', 'own'], 'this: its runs use this playbook. own: they use a playbook of the organization.'),
    slots: Type.Array(
      Type.Object({
        slot: Type.String({ description: 'The slot, or <sub-playbook>/<slot>.' }),
        integration: Type.String(),
        optional: Type.Boolean(),
        instance: nullable(Type.String({ description: 'The connection that runs would use. Null: none.' })),
        connection_id: nullable(Type.String()),
        why: nullable(Type.String({ description: 'Why a required slot has no connection. Then its runs fail.' })),
      }),
    ),
  },
  { $id: 'PlaybookUse', description: 'What an organization has for a playbook.' },
)

/** The most organizations of a page, because it reads the connections of each. */
const mostOrganizations = 100

/** Adds `GET /platformapi/playbooks/{key}/organizations`: which ones use a playbook, and their connections for its slots. */
export function playbookOrganizationsRoute(app: Api, context: ApiContext): void {
  const { store, playbooks } = context.services
  app.addSchema(UseSchema)

  const organizations = async (scope: Scope, only: OrganizationId | null, after: string | null, limit: number): Promise<Page<Organization>> =>
    only === null ? store.organizations.list(scope, { after, limit }) : { items: await store.organizations.byId(scope, [only]), more: false }

  /** The organizations with a playbook of their own in the place of a shared one. */
  const ownersOf = async (scope: Scope, { kind, key }: PlaybookPlace): Promise<ReadonlySet<OrganizationId | null>> => {
    const active = await playbooks.history.list(scope)
    const own = active.filter((each) => each.kind === kind && each.key === key && each.organization !== null && each.source !== 'generated')
    return new Set(own.map((each) => each.organization))
  }

  app.get(
    '/platformapi/playbooks/:key/organizations',
    operation(
      context,
      {
        id: 'listPlaybookOrganizations',
        tag: 'playbooks',
        summary: 'List the organizations that use a playbook, and their connections for its slots',
        permission: 'playbooks:read',
        errors: ['playbook_unknown', 'organization_unknown', 'cursor_invalid', ...checkErrors],
      },
      {
        params: Type.Object({ key: Type.String({ maxLength: 1_000 }) }),
        querystring: Type.Object({ ...placeParameters, ...pageParameters }),
        response: { 200: pageOf('PlaybookUse') },
      },
    ),
    async (request) => {
      const { scope } = callerOf(request)
      const { organization: code, kind = 'playbook', cursor, limit } = request.query
      const [only] = code === undefined ? [] : await organizationIdsOf(store, scope, [code], 'organization')
      const place = placeNamed(kind, request.params.key, only ?? null)
      const { text } = await playbooks.history.active(scope, place)
      const cursors = cursorsOf('playbook organizations', place)
      const after = cursor === undefined ? null : String(cursors.decode(cursor)[0])
      const page = await organizations(scope, only ?? null, after, Math.min(limit, mostOrganizations))
      const owners = only === undefined ? await ownersOf(scope, place) : new Set()
      const { playbook } = await playbooks.lint(scope, text, only ?? null)
      const items: Static<typeof UseSchema>[] = []
      for (const { id, code: organization } of page.items)
        items.push({ organization_code: organization, uses: owners.has(id) ? 'own' : 'this', slots: playbook ? await slotsIn(playbook, id) : [] })
      return { items, next_cursor: nextCursor(page, cursors, (last) => [foldCode(last.code)]) }
    },
  )

  const slotsIn = async (
    playbook: NonNullable<Examination['playbook']>,
    organization: OrganizationId,
  ): Promise<Static<typeof UseSchema>['slots']> => {
    const { connections, missing } = await playbooks.binding(playbook, organization)
    return Object.entries(slotsOf(playbook)).map(([slot, { integration, optional }]) => ({
      slot,
      integration,
      optional,
      instance: connections[slot]?.instance ?? null,
      connection_id: connections[slot]?.id ?? null,
      why: missing.find((each) => each.slot === slot)?.why ?? null,
    }))
  }
}

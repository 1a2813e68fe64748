import Type, { type Static } from 'typebox'
import type { OrganizationId } from '../../domain/index.ts'
import { callerOf } from '../auth/guard.ts'
import type { Api, ApiContext } from '../context.ts'
import { operation } from '../operation.ts'
import { nullable, oneOf, pageOf, Time } from '../schemas.ts'
import type { PlaybookView } from '../services.ts'
import { organizationCodesOf } from './organization-codes.ts'

const PlaybookSchema = Type.Object(
  {
    name: Type.String(),
    alert_type: Type.String({ description: 'Normalised: NFKC, trimmed, lower case.' }),
    organization_code: nullable(Type.String({ description: 'Null: for every organization.' })),
    digest: Type.String(),
    source: oneOf(['folder', 'edited', 'generated']),
    revision: Type.Integer({ description: 'How many playbooks were activated for this place, this one included.' }),
    activated_at: Time,
  },
  { $id: 'Playbook', description: 'The playbook that is active for an alert type.' },
)

export function playbookRoutes(app: Api, context: ApiContext): void {
  const { store, playbooks } = context.services
  app.addSchema(PlaybookSchema)
  app.get(
    '/platformapi/playbooks',
    operation(
      context,
      {
        id: 'listPlaybooks',
        tag: 'playbooks',
        summary: 'List the active playbooks',
        description: 'All of them in one page.',
        permission: 'playbooks:read',
      },
      { querystring: Type.Object({}), response: { 200: pageOf('Playbook') } },
    ),
    async (request) => {
      const { scope } = callerOf(request)
      const found = await playbooks.list(scope)
      const codes = await organizationCodesOf(
        store,
        scope,
        found.flatMap(({ organization }) => (organization === null ? [] : [organization])),
      )
      return { items: found.map((playbook) => playbookView(playbook, codes)), next_cursor: null }
    },
  )
}

function playbookView(playbook: PlaybookView, codes: ReadonlyMap<OrganizationId, string>): Static<typeof PlaybookSchema> {
  const { name, alertType, organization, digest, source, revision, activatedAt } = playbook
  return {
    name,
    alert_type: alertType,
    organization_code: organization === null ? null : (codes.get(organization) ?? organization),
    digest,
    source,
    revision,
    activated_at: activatedAt,
  }
}

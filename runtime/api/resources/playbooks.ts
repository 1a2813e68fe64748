import Type, { type Static } from 'typebox'
import type { OrganizationId } from '../../domain/index.ts'
import type { Finding } from '../../playbook/index.ts'
import { callerOf } from '../auth/guard.ts'
import type { Api, ApiContext } from '../context.ts'
import { operation } from '../operation.ts'
import { nullable, oneOf, pageOf, Time } from '../schemas.ts'
import type { PlaybookView } from '../services.ts'
import { organizationCodesOf, organizationIdsOf } from './organization-codes.ts'

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

const FindingSchema = Type.Object(
  {
    code: Type.String({ description: 'See docs/reference/lint/.' }),
    severity: oneOf(['error', 'warning']),
    message: Type.String(),
    line: Type.Integer({ description: 'From 1.' }),
    column: Type.Integer({ description: 'From 1.' }),
    field: Type.String({ description: 'Dotted path of the key.' }),
    fix: Type.Optional(
      Type.Object(
        {
          title: Type.String(),
          edits: Type.Array(
            Type.Object({
              start: Type.Integer({ description: 'Characters of the text, from 0.' }),
              end: Type.Integer({ description: 'The first character that stays.' }),
              text: Type.String({ description: 'What takes the place.' }),
            }),
          ),
        },
        { description: 'Where it is certain.' },
      ),
    ),
  },
  { $id: 'Finding', description: 'One thing that is wrong with a playbook, or likely to be.' },
)

const LintRequest = Type.Object(
  {
    text: Type.String({ description: 'The YAML of the playbook.' }),
    organization_code: Type.Optional(Type.String({ maxLength: 256, description: 'Whose connections it is checked against, too.' })),
  },
  { additionalProperties: false },
)

export function playbookRoutes(app: Api, context: ApiContext): void {
  const { store, playbooks } = context.services
  app.addSchema(PlaybookSchema)
  app.addSchema(FindingSchema)
  app.post(
    '/platformapi/playbooks/lint',
    operation(
      context,
      {
        id: 'lintPlaybook',
        tag: 'playbooks',
        summary: 'Find what is wrong with a playbook',
        description: 'Nothing is stored or run. A playbook with a finding of severity error is not activated.',
        permission: 'playbooks:read',
        errors: ['organization_unknown'],
      },
      { body: LintRequest, querystring: Type.Object({}), response: { 200: Type.Object({ findings: Type.Array(Type.Ref('Finding#')) }) } },
    ),
    async (request) => {
      const { text, organization_code: code } = request.body
      const { scope } = callerOf(request)
      const [organization] = code === undefined ? [] : await organizationIdsOf(store, scope, [code], 'organization_code')
      const findings = await playbooks.lint(text, organization ?? null)
      return { findings: findings.map(findingView) }
    },
  )
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

function findingView({ code, severity, message, line, column, field, fix }: Finding): Static<typeof FindingSchema> {
  return { code, severity, message, line, column, field, ...(fix && { fix: { title: fix.title, edits: fix.edits.map((edit) => ({ ...edit })) } }) }
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

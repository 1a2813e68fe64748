import type { Examination } from '../../../playbook/index.ts'
import { slotsOf } from '../../../rehearsal/recorded/index.ts'
import { type Static, Type } from '../../../schema/index.ts'
import { callerOf } from '../../auth/index.ts'
import type { Api, ApiContext } from '../../context.ts'
import { maxPlaybookLength } from '../../limits.ts'
import { operation } from '../../operation.ts'
import { oneOf } from '../../schemas.ts'
import { checkErrors, organizationIdsOf } from '../shared/index.ts'
import { FindingSchema, findingView, ImpactSchema, impactView, kinds } from './view.ts'

const LintRequest = Type.Object(
  {
    text: Type.String({ format: 'text', maxLength: maxPlaybookLength, description: 'The YAML of the playbook.' }),
    organization_code: Type.Optional(Type.String({ maxLength: 256, description: 'Also check it against the connections of this organization.' })),
  },
  { additionalProperties: false },
)

export const CheckedSchema = Type.Object(
  {
    name: Type.String(),
    kind: oneOf(kinds),
    alert_types: Type.Array(Type.String(), { description: 'Normalised.' }),
    runs: Type.Array(Type.String(), { description: 'The sub-playbooks that it runs, directly or through others.' }),
    slots: Type.Array(
      Type.Object({
        slot: Type.String({ description: 'The slot, or <sub-playbook>/<slot>.' }),
        integration: Type.String(),
        optional: Type.Boolean({ description: 'True: its runs work without a connection.' }),
      }),
      { description: 'What it needs bound to a connection.' },
    ),
    impact: Type.Ref('Impact#'),
  },
  { $id: 'CheckedPlaybook', description: 'What a playbook needs and can do.' },
)

const AnswerSchema = Type.Object({
  findings: Type.Array(Type.Ref('Finding#')),
  playbook: Type.Unsafe<Static<typeof CheckedSchema> | null>({
    anyOf: [{ $ref: 'CheckedPlaybook#' }, { type: 'null' }],
    description: 'Null: a finding is an error.',
  }),
})

/** Adds `POST /platformapi/playbooks/lint`, which finds the mistakes of a text and stores nothing. */
export function playbookLintRoute(app: Api, context: ApiContext): void {
  const { store, playbooks } = context.services
  for (const schema of [FindingSchema, ImpactSchema, CheckedSchema]) app.addSchema(schema)

  app.post(
    '/platformapi/playbooks/lint',
    operation(
      context,
      {
        id: 'lintPlaybook',
        tag: 'playbooks',
        summary: 'Lint a playbook',
        description:
          'Stores and runs nothing. A playbook with a finding of severity error cannot be activated. Answers the first 500 findings, and for a text without errors what it needs and the most that a run can do.',
        permission: 'playbooks:read',
        errors: ['organization_unknown', ...checkErrors],
      },
      { body: LintRequest, querystring: Type.Object({}), response: { 200: AnswerSchema } },
    ),
    async (request) => {
      const { text, organization_code: code } = request.body
      const { scope } = callerOf(request)
      const [organization] = code === undefined ? [] : await organizationIdsOf(store, scope, [code], 'organization_code')
      const { findings, playbook } = await playbooks.lint(scope, text, organization ?? null)
      return { findings: findings.map(findingView), playbook: playbook && checkedView(playbook) }
    },
  )
}

function checkedView(playbook: NonNullable<Examination['playbook']>): Static<typeof CheckedSchema> {
  const { name, types, playbooks: subs, impact } = playbook
  return {
    name,
    kind: types.length > 0 ? 'playbook' : 'sub_playbook',
    alert_types: [...types],
    runs: Object.keys(subs),
    slots: Object.entries(slotsOf(playbook)).map(([slot, { integration, optional }]) => ({ slot, integration, optional })),
    impact: impactView(impact),
  }
}

import Type, { type Static } from 'typebox'
import { TocsinError } from '../../../errors/index.ts'
import type { CatalogueIntegration, CatalogueSkill } from '../../../plugin/index.ts'
import type { Api, ApiContext } from '../../context.ts'
import { operation } from '../../operation.ts'
import { nullable, oneOf, pageOf } from '../../schemas.ts'

const IntegrationSchema = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    version: Type.String(),
    categories: Type.Array(Type.String()),
    vendor: Type.Object({ name: Type.String(), api: nullable(Type.String()), docs: nullable(Type.String()) }),
    credentials: Type.Array(
      Type.Object({
        name: Type.String(),
        label: Type.String(),
        type: Type.String(),
        required: Type.Boolean(),
        secret: Type.Boolean({ description: 'Write-only.' }),
        advanced: Type.Boolean(),
        help: nullable(Type.String()),
        default: Type.Unknown({ description: 'Null: none.' }),
        values: Type.Array(Type.String(), { description: 'The choices of an enum.' }),
      }),
      { description: 'The connection form, in its order.' },
    ),
    roles: Type.Array(Type.Array(Type.String()), { description: 'Each line is ordered: a role includes the roles before it.' }),
    setup: Type.Object(
      { steps: Type.Array(Type.String()), scopes: Type.Array(Type.String()), limits: Type.Array(Type.String()) },
      { description: 'What to do in the external system first.' },
    ),
  },
  { $id: 'Integration', description: 'An external system that a loaded plugin connects to.' },
)

const SkillSchema = Type.Object(
  {
    id: Type.String({ description: '<integration>.<skill>, as playbooks name it.' }),
    title: Type.String(),
    purpose: Type.String(),
    category: Type.String(),
    impact: oneOf(['read', 'write', 'high']),
    minimum_role: nullable(Type.String()),
    api: nullable(Type.String({ description: "The version of the vendor's API that it uses." })),
    warnings: Type.Array(Type.String()),
    input: Type.Unknown({ description: 'JSON Schema.' }),
    output: Type.Unknown({ description: 'JSON Schema.' }),
    example: Type.Unknown({ description: 'An example input.' }),
  },
  { $id: 'Skill', description: 'A named operation of an integration.' },
)

export function integrationRoutes(app: Api, context: ApiContext): void {
  const { integrations } = context.services
  for (const schema of [IntegrationSchema, SkillSchema]) app.addSchema(schema)

  app.get(
    '/platformapi/integrations',
    operation(
      context,
      {
        id: 'listIntegrations',
        tag: 'integrations',
        summary: 'List the integrations',
        description: 'Lists all of them in one page.',
        permission: 'connections:read',
      },
      { querystring: Type.Object({}), response: { 200: pageOf('Integration') } },
    ),
    async () => ({ items: (await integrations.list()).map(integrationView), next_cursor: null }),
  )

  app.get(
    '/platformapi/integrations/:id/skills',
    operation(
      context,
      {
        id: 'listSkills',
        tag: 'integrations',
        summary: 'List the skills of an integration',
        description: 'Lists all of them in one page.',
        permission: 'connections:read',
        errors: ['integration_not_found'],
      },
      { params: Type.Object({ id: Type.String() }), querystring: Type.Object({}), response: { 200: pageOf('Skill') } },
    ),
    async (request) => {
      const skills = await integrations.skills(request.params.id)
      if (skills === null) throw new TocsinError('integration_not_found', 'No loaded plugin has this id.')
      return { items: skills.map(skillView), next_cursor: null }
    },
  )
}

function integrationView(view: CatalogueIntegration): Static<typeof IntegrationSchema> {
  const { categories, credentials, roles, setup, ...plain } = view
  return {
    ...plain,
    categories: [...categories],
    credentials: credentials.map((each) => ({ ...each, values: [...each.values] })),
    roles: roles.map((line) => [...line]),
    setup: { steps: [...setup.steps], scopes: [...setup.scopes], limits: [...setup.limits] },
  }
}

function skillView({ minimumRole, warnings, ...plain }: CatalogueSkill): Static<typeof SkillSchema> {
  return { ...plain, minimum_role: minimumRole, warnings: [...warnings] }
}

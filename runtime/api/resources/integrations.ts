import Type, { type Static } from 'typebox'
import { TocsinError } from '../../errors/index.ts'
import type { Api, ApiContext } from '../context.ts'
import { operation } from '../operation.ts'
import { nullable, oneOf, pageOf } from '../schemas.ts'
import type { IntegrationView, SkillView } from '../services.ts'

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
  },
  { $id: 'Integration', description: 'An external system that a loaded plugin connects to.' },
)

const SkillSchema = Type.Object(
  {
    id: Type.String({ description: '<integration>.<skill>, as playbooks name it.' }),
    title: Type.String(),
    purpose: Type.String(),
    category: nullable(Type.String()),
    impact: oneOf(['read', 'write', 'high']),
    minimum_role: nullable(Type.String()),
    warnings: Type.Array(Type.String()),
    input: Type.Unknown({ description: 'JSON Schema.' }),
    output: Type.Unknown({ description: 'JSON Schema.' }),
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
        description: 'All of them in one page.',
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
        description: 'All of them in one page.',
        permission: 'connections:read',
        errors: ['integration_not_found'],
      },
      { params: Type.Object({ id: Type.String() }), querystring: Type.Object({}), response: { 200: pageOf('Skill') } },
    ),
    async (request) => {
      const skills = await integrations.skills(request.params.id)
      if (skills === null) throw new TocsinError('integration_not_found', 'No plugin of this id is loaded.')
      return { items: skills.map(skillView), next_cursor: null }
    },
  )
}

function integrationView(view: IntegrationView): Static<typeof IntegrationSchema> {
  const { id, name, version, categories, vendor, credentials } = view
  return { id, name, version, categories: [...categories], vendor, credentials: credentials.map((each) => ({ ...each, values: [...each.values] })) }
}

function skillView(view: SkillView): Static<typeof SkillSchema> {
  const { id, title, purpose, category, impact, minimumRole, warnings, input, output } = view
  return { id, title, purpose, category, impact, minimum_role: minimumRole, warnings: [...warnings], input, output }
}

import { TocsinError } from '../../../errors/index.ts'
import type { CatalogueIntegration, CatalogueSkill } from '../../../plugin/index.ts'
import { type Static, Type } from '../../../schema/index.ts'
import type { Api, ApiContext } from '../../context.ts'
import { operation } from '../../operation.ts'
import { nullable, oneOf, pageOf } from '../../schemas.ts'

export const IntegrationSchema = Type.Object(
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
        rules: Type.Array(Type.String(), { description: 'What Tocsin refuses, and why.' }),
        paste_key: nullable(Type.String({ description: "The key in the vendor's file that fills it. Null: no file does." })),
        decides_address: Type.Boolean({ description: 'True: it decides where requests go. If it changes, send all secrets again.' }),
      }),
      { description: 'The connection form, in its order.' },
    ),
    roles: Type.Array(Type.Array(Type.String()), { description: 'Each line is ordered: a role includes the roles before it.' }),
    setup: Type.Object(
      { steps: Type.Array(Type.String()), scopes: Type.Array(Type.String()), limits: Type.Array(Type.String()) },
      { description: 'What to do in the external system first.' },
    ),
    rate_limit: Type.Unsafe<{ requests: number; interval_ms: number; burst: number } | null>({
      type: ['object', 'null'],
      required: ['requests', 'interval_ms', 'burst'],
      properties: { requests: { type: 'integer' }, interval_ms: { type: 'integer' }, burst: { type: 'integer' } },
      description:
        'How many requests Tocsin sends in an interval, for each connection, and how many more at once after a quiet time. Null: no limit is known.',
    }),
    tells_role: Type.Boolean({ description: 'True: a test asks the system for the role of the credentials.' }),
    skill_count: Type.Object({ read: Type.Integer(), write: Type.Integer(), high: Type.Integer() }, { description: 'Its skills, by impact.' }),
  },
  { $id: 'Integration', description: 'An external system that a loaded plugin connects to.' },
)

export const SkillSchema = Type.Object(
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
    example_output: Type.Unknown({ description: 'The recorded output of the example. Null: none was recorded.' }),
    writes: Type.Boolean({ description: 'True: it changes something in the external system.' }),
    requires: nullable(Type.String({ description: "What the credentials need for it, in the vendor's words." })),
    code: Type.Boolean({ description: 'True: code decides which requests it sends, so a preview cannot show them.' }),
    timeout_ms: Type.Integer({ description: 'The time-out of the whole call.' }),
    undo: Type.Unsafe<{ skill: string; conditional: boolean } | null>({
      type: ['object', 'null'],
      required: ['skill', 'conditional'],
      properties: { skill: { type: 'string' }, conditional: { type: 'boolean', description: 'True: only some calls can be undone.' } },
      description: 'The skill that takes it back. Null: there is none.',
    }),
    repeat: Type.Unsafe<'state' | 'key' | 'verify' | 'ask' | null>({
      type: ['string', 'null'],
      enum: ['state', 'key', 'verify', 'ask', null],
      description:
        'What a run does if the answer of a write is lost. state, key: it sends the call again, which is safe. verify: it asks the system whether the call happened. ask: it asks people. Null: the skill only reads.',
    }),
  },
  { $id: 'Skill', description: 'A named operation of an integration.' },
)

/** Adds `/platformapi/integrations`: list them, and the skills of one. */
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
  const { categories, credentials, roles, setup, rateLimit, tellsRole, skills, ...plain } = view
  return {
    ...plain,
    categories: [...categories],
    credentials: credentials.map(({ values, rules, pasteKey, decidesAddress, ...each }) => ({
      ...each,
      values: [...values],
      rules: [...rules],
      paste_key: pasteKey,
      decides_address: decidesAddress,
    })),
    roles: roles.map((line) => [...line]),
    setup: { steps: [...setup.steps], scopes: [...setup.scopes], limits: [...setup.limits] },
    rate_limit: rateLimit && { requests: rateLimit.requests, interval_ms: rateLimit.interval, burst: rateLimit.burst },
    tells_role: tellsRole,
    skill_count: { ...skills },
  }
}

function skillView({ minimumRole, warnings, exampleOutput, timeout, undo, ...plain }: CatalogueSkill): Static<typeof SkillSchema> {
  return {
    ...plain,
    minimum_role: minimumRole,
    warnings: [...warnings],
    example_output: exampleOutput,
    writes: plain.impact !== 'read',
    timeout_ms: timeout,
    undo: undo && { ...undo },
  }
}

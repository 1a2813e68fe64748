import type { Json } from '../../../domain/index.ts'
import { filterGroups, operatorGroups } from '../../../expressions/index.ts'
import { type Static, Type } from '../../../schema/index.ts'
import { callerOf, requirePermission } from '../../auth/index.ts'
import type { Api, ApiContext } from '../../context.ts'
import { operation } from '../../operation.ts'
import { nullable } from '../../schemas.ts'
import { alertOf, checkErrors } from '../shared/index.ts'

export const TemplateSchema = Type.Object(
  {
    name: Type.String(),
    description: Type.String({ description: 'What it does.' }),
    alert_types: Type.Array(Type.String(), { description: 'Empty: it is a sub-playbook.' }),
    integrations: Type.Array(Type.Object({ slot: Type.String(), integration: Type.String(), optional: Type.Boolean() }), {
      description: 'The integrations that its slots need.',
    }),
    text: Type.String({ description: 'The YAML.' }),
    tests: nullable(Type.String({ description: 'The YAML of its tests. Null: it has none.' })),
  },
  { $id: 'PlaybookTemplate', description: 'A playbook that ships with Tocsin, to begin from.' },
)

const WordSchema = Type.Object({ name: Type.String(), text: Type.String({ description: 'What it gives.' }), example: Type.String() })

export const LanguageSchema = Type.Object(
  {
    schema: Type.Unsafe<Json>({
      type: 'object',
      additionalProperties: true,
      description: 'A JSON Schema for editors, with the loaded skills and the active sub-playbooks.',
    }),
    filters: Type.Array(WordSchema, { description: 'The filters of templates.' }),
    operators: Type.Array(WordSchema, { description: 'The operators of conditions. The examples are JSON.' }),
  },
  { $id: 'PlaybookLanguage', description: 'What an editor of playbooks completes.' },
)

const filters = wordsOf(filterGroups)
const operators = wordsOf(operatorGroups)

/** Routes that help to write a playbook: templates, a first text for an alert, and what an editor completes. */
export function playbookAuthoringRoutes(app: Api, context: ApiContext): void {
  const { store, playbooks } = context.services
  for (const schema of [TemplateSchema, LanguageSchema]) app.addSchema(schema)

  app.get(
    '/platformapi/playbook-templates',
    operation(
      context,
      { id: 'listPlaybookTemplates', tag: 'playbooks', summary: 'List the playbooks that ship with Tocsin', permission: 'playbooks:read' },
      { querystring: Type.Object({}), response: { 200: Type.Object({ items: Type.Array(Type.Ref('PlaybookTemplate#')) }) } },
    ),
    async () => ({
      items: (await playbooks.templates()).map(({ alertTypes, integrations, ...template }) => ({
        ...template,
        alert_types: [...alertTypes],
        integrations: integrations.map((one) => ({ ...one })),
      })),
    }),
  )

  app.get(
    '/platformapi/playbook-language',
    operation(
      context,
      {
        id: 'getPlaybookLanguage',
        tag: 'playbooks',
        summary: 'Read what an editor of playbooks completes',
        permission: 'playbooks:read',
        errors: checkErrors,
      },
      { querystring: Type.Object({}), response: { 200: Type.Ref('PlaybookLanguage#') } },
    ),
    async (request) => ({ schema: await playbooks.schema(callerOf(request).scope), filters, operators }),
  )

  app.post(
    '/platformapi/playbooks/generate',
    operation(
      context,
      {
        id: 'generatePlaybook',
        tag: 'playbooks',
        summary: "Write a first playbook for an alert's type",
        description:
          'Answers the text that Tocsin would use if the type had no playbook: it only reads. Stores nothing. Needs the scope alerts:read. The text has no values of the alert.',
        permission: 'playbooks:read',
        errors: ['alert_unknown', 'permission_missing', ...checkErrors],
      },
      {
        body: Type.Object(
          { alert_id: Type.String({ minLength: 1, maxLength: 300, description: 'An alert_id or alert_uuid.' }) },
          { additionalProperties: false },
        ),
        querystring: Type.Object({}),
        response: {
          200: Type.Object({
            text: Type.String({ description: 'The YAML.' }),
            alert_type: nullable(Type.String()),
            organization_code: Type.String(),
          }),
        },
      },
    ),
    async (request) => {
      const caller = callerOf(request)
      requirePermission(caller, 'alerts:read')
      const alert = await alertOf(store, caller.scope, request.body.alert_id)
      return { text: await playbooks.generate(alert), alert_type: alert.type, organization_code: alert.organizationCode }
    },
  )
}

interface Word {
  readonly name: string
  readonly text: string
  readonly example: Json
}

function wordsOf(groups: Readonly<Record<string, readonly Word[]>>): Static<typeof WordSchema>[] {
  return Object.values(groups)
    .flat()
    .map(({ name, text, example }) => ({ name, text, example: typeof example === 'string' ? example : JSON.stringify(example) }))
}

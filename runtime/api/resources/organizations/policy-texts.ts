import type { OrganizationId, Scope } from '../../../domain/index.ts'
import { type ErrorPlace, isTocsinError, TocsinError } from '../../../errors/index.ts'
import { policySchema } from '../../../policy/index.ts'
import { type Static, Type } from '../../../schema/index.ts'
import { callerOf } from '../../auth/index.ts'
import type { Api, ApiContext } from '../../context.ts'
import { operation } from '../../operation.ts'
import { nullable, Time } from '../../schemas.ts'
import { checkErrors, namesOf, organizationIdsOf } from '../shared/index.ts'
import { maxPolicyText } from './policies.ts'

const CheckBody = Type.Object(
  { text: Type.String({ format: 'text', maxLength: maxPolicyText, description: 'The YAML (schemas/policy.schema.json).' }) },
  { additionalProperties: false },
)

export const PolicyCheckSchema = Type.Object(
  {
    valid: Type.Boolean({ description: 'Whether the text can be set as the policy.' }),
    mistakes: Type.Array(
      Type.Object({
        field: Type.String({ description: 'The dotted path of a key. Empty: the whole text.' }),
        message: Type.String(),
        line: nullable(Type.Integer({ description: 'From 1. Null: the whole text.' })),
        column: nullable(Type.Integer()),
      }),
    ),
  },
  { $id: 'PolicyCheck', description: "What is wrong with a policy's text." },
)

export const PolicyRevisionSchema = Type.Object(
  {
    organization_code: Type.String(),
    revision: Type.Integer(),
    text: Type.String({ description: 'The YAML as it was written.' }),
    changed_at: Time,
    changed_by: Type.String({ format: 'uuid' }),
    changed_by_name: nullable(Type.String({ description: 'Null: no principal has this id any more.' })),
  },
  { $id: 'PolicyRevision', description: 'A policy as it was set.' },
)

const path = '/platformapi/organizations/:code/policy'
const code = Type.String({ maxLength: 256 })
/** Errors that are mistakes in the text. After any other error, the text is unchecked. */
const mistaken = new Set(['yaml_invalid', 'yaml_too_large', 'policy_invalid'])

/** Operations on the text of a policy: what an editor completes, check one before it is set, and read one that was set. */
export function policyTextRoutes(app: Api, context: ApiContext): void {
  const { store, policies } = context.services
  for (const schema of [PolicyCheckSchema, PolicyRevisionSchema]) app.addSchema(schema)
  const organizationOf = async (scope: Scope, named: string): Promise<OrganizationId> => {
    const [id] = await organizationIdsOf(store, scope, [named], 'code')
    return id as OrganizationId
  }

  app.get(
    '/platformapi/policy-schema',
    operation(
      context,
      { id: 'getPolicySchema', tag: 'organizations', summary: 'Read the JSON Schema of policies', permission: 'policy:read' },
      {
        querystring: Type.Object({}),
        response: { 200: Type.Object({ schema: Type.Unsafe<object>({ type: 'object', additionalProperties: true, description: 'For editors.' }) }) },
      },
    ),
    async () => ({ schema: policySchema }),
  )

  app.post(
    `${path}/check`,
    operation(
      context,
      {
        id: 'checkPolicy',
        tag: 'organizations',
        summary: "Check a policy's text",
        description: 'Sets nothing.',
        permission: 'policy:read',
        errors: ['organization_unknown', ...checkErrors],
      },
      { params: Type.Object({ code }), body: CheckBody, querystring: Type.Object({}), response: { 200: Type.Ref('PolicyCheck#') } },
    ),
    async (request) => {
      const organization = await organizationOf(callerOf(request).scope, request.params.code)
      try {
        await policies.check(organization, request.body.text, 'policy.yaml')
        return { valid: true, mistakes: [] }
      } catch (error) {
        if (!(isTocsinError(error) && mistaken.has(error.code))) throw error
        const places: readonly ErrorPlace[] = error.places.length > 0 ? error.places : [{ field: '', message: error.message }]
        return { valid: false, mistakes: places.map(mistakeView) }
      }
    },
  )

  app.get(
    `${path}/revisions/:revision`,
    operation(
      context,
      {
        id: 'getPolicyRevision',
        tag: 'organizations',
        summary: "An earlier revision of an organization's policy",
        permission: 'policy:read',
        errors: ['organization_unknown', 'policy_revision_unknown'],
      },
      {
        // OpenAPI says that it is a number. The parameter itself is a text.
        params: Type.Object({ code, revision: Type.Unsafe<string>({ type: 'integer', minimum: 1 }) }),
        querystring: Type.Object({}),
        response: { 200: Type.Ref('PolicyRevision#') },
      },
    ),
    async (request) => {
      const { scope } = callerOf(request)
      const { code: named, revision } = request.params
      const organization = await organizationOf(scope, named)
      const found = /^[1-9]\d{0,14}$/.test(revision) ? await policies.revision(scope, organization, Number(revision)) : null
      if (found === null) throw new TocsinError('policy_revision_unknown', `The policy of ${named} has no revision ${revision}.`)
      const names = await namesOf(store, [found.changedBy])
      return {
        organization_code: named,
        revision,
        text: found.text,
        changed_at: found.changedAt,
        changed_by: found.changedBy,
        changed_by_name: names.get(found.changedBy) ?? null,
      }
    },
  )
}

function mistakeView({ field, message, line, column }: ErrorPlace): Static<typeof PolicyCheckSchema>['mistakes'][number] {
  return { field, message, line: line ?? null, column: column ?? null }
}

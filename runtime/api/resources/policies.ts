import Type, { type Static } from 'typebox'
import { defaultPolicy, type OrganizationId, type OrganizationPolicy, policyAnswers, type Scope } from '../../domain/index.ts'
import { type Caller, callerOf } from '../auth/guard.ts'
import type { Api, ApiContext } from '../context.ts'
import { operation } from '../operation.ts'
import { nullable, oneOf, Time } from '../schemas.ts'
import { organizationIdsOf } from './organization-codes.ts'

/** Characters of a policy's text. */
const maxText = 65_536
/** Changes that are shown. */
const shownChanges = 100

const Limit = nullable(Type.Integer({ description: 'Null: no limit.' }))
const Answer = oneOf(policyAnswers)
const By = nullable(Type.String({ format: 'uuid', description: 'The principal; null: nobody has set one.' }))
const ByName = nullable(Type.String({ description: 'Null also where the principal is beyond the reach of the key.' }))

const PolicySchema = Type.Object(
  {
    organization_code: Type.String(),
    revision: Type.Integer({ description: 'Rises with every change; 0: none was ever set, and the default is kept to.' }),
    text: Type.String({ description: 'The YAML as it was written; empty with revision 0.' }),
    approvals: Type.Object({
      high: Answer,
      skills: Type.Record(Type.String(), Answer),
      by: Type.Array(Type.String()),
      approvers: Type.Integer(),
      expires: Type.Integer({ description: 'Milliseconds.' }),
    }),
    limits: Type.Object({ impact: Type.Object({ high: Limit, write: Limit, targets: Limit }) }),
    changes: Type.Array(Type.Object({ revision: Type.Integer(), changed_at: Time, changed_by: By, changed_by_name: ByName }), {
      description: `The latest ${shownChanges}, newest first.`,
    }),
  },
  { $id: 'Policy', description: 'When an organization is asked before a playbook changes something, and how much one run may change.' },
)

const BodySchema = Type.Object(
  {
    text: Type.String({ minLength: 1, maxLength: maxText, description: 'The YAML (schemas/policy.schema.json); JSON is YAML, too.' }),
    file: Type.Optional(Type.String({ minLength: 1, maxLength: 500, description: 'What messages call it.' })),
    revision: Type.Optional(Type.Integer({ minimum: 0, description: 'That must stand; 0: none may. Absent: whatever stands is replaced.' })),
  },
  { additionalProperties: false },
)

const path = '/platformapi/organizations/:code/policy'
const params = Type.Object({ code: Type.String({ maxLength: 256 }) })

export function policyRoutes(app: Api, context: ApiContext): void {
  const { store, policies } = context.services
  app.addSchema(PolicySchema)

  const organizationOf = async ({ scope }: Caller, code: string): Promise<OrganizationId> => {
    const [id] = await organizationIdsOf(store, scope, [code], 'code')
    return id as OrganizationId
  }
  const view = async (scope: Scope, code: string, organization: OrganizationId): Promise<Static<typeof PolicySchema>> => {
    const changes = (await policies.history(scope, organization)).slice(0, shownChanges)
    const people = [...new Set(changes.map(({ changedBy }) => changedBy))]
    const principals = people.length === 0 ? [] : await store.principals.byId(scope, people)
    return policyView(code, changes, new Map(principals.map(({ id, name }) => [id, name])))
  }

  app.get(
    path,
    operation(
      context,
      {
        id: 'getPolicy',
        tag: 'organizations',
        summary: "An organization's policy",
        permission: 'policy:read',
        errors: ['organization_unknown'],
      },
      { params, querystring: Type.Object({}), response: { 200: Type.Ref('Policy#') } },
    ),
    async (request) => {
      const caller = callerOf(request)
      const { code } = request.params
      return view(caller.scope, code, await organizationOf(caller, code))
    },
  )

  app.put(
    path,
    operation(
      context,
      {
        id: 'setPolicy',
        tag: 'organizations',
        summary: "Set an organization's policy",
        description: 'For runs that begin from then on (within a second); runs go on with what they began with.',
        permission: 'policy:write',
        errors: ['organization_unknown', 'yaml_invalid', 'policy_invalid', 'policy_changed'],
      },
      { params, body: BodySchema, querystring: Type.Object({}), response: { 200: Type.Ref('Policy#') } },
    ),
    async (request) => {
      const caller = callerOf(request)
      const { code } = request.params
      const { text, file = 'policy.yaml', revision = null } = request.body
      const organization = await organizationOf(caller, code)
      await policies.set({ scope: caller.scope, principal: caller.principal.id }, organization, { text, file, revision })
      return view(caller.scope, code, organization)
    },
  )
}

function policyView(code: string, changes: readonly OrganizationPolicy[], names: ReadonlyMap<string, string>): Static<typeof PolicySchema> {
  const [standing] = changes
  const { approvals, limits } = standing?.policy ?? defaultPolicy
  return {
    organization_code: code,
    revision: standing?.revision ?? 0,
    text: standing?.text ?? '',
    approvals: { ...approvals, skills: { ...approvals.skills }, by: [...approvals.by] },
    limits: { impact: { ...limits.impact } },
    changes: changes.map(({ revision, changedAt, changedBy }) => ({
      revision,
      changed_at: changedAt,
      changed_by: changedBy,
      changed_by_name: names.get(changedBy) ?? null,
    })),
  }
}

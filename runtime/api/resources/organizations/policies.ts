import { defaultPolicy, type OrganizationId, type OrganizationPolicy, policyAnswers, type Scope } from '../../../domain/index.ts'
import type { QuotaReport } from '../../../policy/index.ts'
import { type Static, Type } from '../../../schema/index.ts'
import { tellAct } from '../../act.ts'
import { type Caller, callerOf } from '../../auth/index.ts'
import type { Api, ApiContext } from '../../context.ts'
import { operation } from '../../operation.ts'
import { nullable, oneOf, Time } from '../../schemas.ts'
import { checkErrors, type Names, namesOf, organizationIdsOf } from '../shared/index.ts'

/** The most characters of a policy's text. */
export const maxPolicyText = 65_536
/** The most changes that are shown. */
const shownChanges = 100

const Limit = nullable(Type.Integer({ description: 'Null: no limit.' }))
const Answer = oneOf(policyAnswers)
const By = nullable(Type.String({ format: 'uuid', description: 'The principal who changed it. Null: no policy was set.' }))
const ByName = nullable(Type.String({ description: 'Null: no principal has this id any more.' }))

const Quota = nullable(
  Type.Object({ calls: Type.Integer(), per: Type.Integer({ description: 'Milliseconds.' }) }, { description: 'Null: no quota.' }),
)
const ProtectedSchema = Type.Object({
  names: Type.Array(Type.String()),
  pattern: nullable(Type.String({ description: 'RE2.' })),
  skills: nullable(Type.Array(Type.String(), { description: 'Null: all skills that change something.' })),
  reason: Type.String(),
})

export const UsageSchema = Type.Object(
  {
    organization_code: Type.String(),
    quotas: Type.Array(
      Type.Object({
        skill: Type.String({ description: '<integration>.<skill>' }),
        impact: oneOf(['write', 'high']),
        calls: Type.Integer({ description: 'How many calls are allowed within `per`.' }),
        per: Type.Integer({ description: 'Milliseconds.' }),
        used: Type.Integer({ description: 'Calls within the span that ends now. It exceeds `calls` if people approved more.' }),
        since: nullable(Type.Integer({ description: 'The time of the first of these calls, in epoch milliseconds. Null: there are none.' })),
        waiting: Type.Integer({ description: 'How many open decisions wait for the quota.' }),
      }),
      { description: 'By skill: all loaded skills that have a quota.' },
    ),
  },
  { $id: 'QuotaUsage', description: "The usage of an organization's quotas." },
)

export const PolicySchema = Type.Object(
  {
    organization_code: Type.String(),
    revision: Type.Integer({ description: 'Rises with every change. 0: no policy was ever set, and the default applies.' }),
    text: Type.String({ description: 'The YAML as it was written. Empty for revision 0.' }),
    approvals: Type.Object({
      high: Answer,
      skills: Type.Record(Type.String(), Answer),
      by: Type.Array(Type.String()),
      approvers: Type.Integer(),
      expires: Type.Integer({ description: 'Milliseconds.' }),
    }),
    limits: Type.Object({
      impact: Type.Object({ high: Limit, write: Limit, targets: Limit }, { description: 'The most that one run may change.' }),
      quotas: Type.Object(
        { high: Quota, write: Quota, skills: Type.Record(Type.String(), Quota) },
        { description: 'Each quota counts the calls of one skill in the organization.' },
      ),
      spans: Type.Record(Type.String(), nullable(Type.Integer({ description: 'Milliseconds.' })), {
        description: 'By skill: how long the effect of one call may last; null: any time. A skill that is not listed keeps its own maximum.',
      }),
    }),
    protected: Type.Array(ProtectedSchema, { description: 'Entities that calls may not change.' }),
    changes: Type.Array(Type.Object({ revision: Type.Integer(), changed_at: Time, changed_by: By, changed_by_name: ByName }), {
      description: `The latest ${shownChanges}, newest first; fewer if their texts are long.`,
    }),
  },
  { $id: 'Policy', description: 'The policy of an organization: approvals, limits, quotas and protected entities.' },
)

const BodySchema = Type.Object(
  {
    text: Type.String({
      format: 'text',
      minLength: 1,
      maxLength: maxPolicyText,
      description: 'The YAML (schemas/policy.schema.json); JSON is YAML, too.',
    }),
    file: Type.Optional(Type.String({ minLength: 1, maxLength: 500, description: 'The name that messages use for the text.' })),
    revision: Type.Optional(
      Type.Integer({ minimum: 0, description: 'The revision that must be the current one; 0: there must be none. Absent: not checked.' }),
    ),
  },
  { additionalProperties: false },
)

const path = '/platformapi/organizations/:code/policy'
const params = Type.Object({ code: Type.String({ maxLength: 256 }) })

/** Adds `/platformapi/organizations/{code}/policy`: read it, replace it, and see how much of its quotas is used. */
export function policyRoutes(app: Api, context: ApiContext): void {
  const { store, policies } = context.services
  app.addSchema(PolicySchema)
  app.addSchema(UsageSchema)

  const organizationOf = async ({ scope }: Caller, code: string): Promise<OrganizationId> => {
    const [id] = await organizationIdsOf(store, scope, [code], 'code')
    return id as OrganizationId
  }
  const view = async (scope: Scope, code: string, organization: OrganizationId): Promise<Static<typeof PolicySchema>> => {
    const changes = await policies.history(scope, organization, shownChanges)
    const names = await namesOf(
      store,
      changes.map(({ changedBy }) => changedBy),
    )
    return policyView(code, changes, names)
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

  app.get(
    `${path}/usage`,
    operation(
      context,
      {
        id: 'getQuotaUsage',
        tag: 'organizations',
        summary: "The usage of an organization's quotas",
        description: 'For each skill that has a quota. Counts calls of playbooks and manual calls.',
        permission: 'policy:read',
        errors: ['organization_unknown'],
      },
      { params, querystring: Type.Object({}), response: { 200: Type.Ref('QuotaUsage#') } },
    ),
    async (request) => {
      const caller = callerOf(request)
      const { code } = request.params
      const reports = await policies.usage(caller.scope, await organizationOf(caller, code))
      return { organization_code: code, quotas: reports.map(reportView) }
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
        description:
          'Takes effect within a second. Approvals and limits.impact apply to new runs. Quotas and protected entities also apply to runs that have started.',
        permission: 'policy:write',
        errors: ['organization_unknown', 'yaml_invalid', 'yaml_too_large', 'policy_invalid', 'policy_changed', ...checkErrors],
      },
      { params, body: BodySchema, querystring: Type.Object({}), response: { 200: Type.Ref('Policy#') } },
    ),
    async (request) => {
      const caller = callerOf(request)
      const { code } = request.params
      const { text, file = 'policy.yaml', revision = null } = request.body
      const organization = await organizationOf(caller, code)
      await policies.set({ scope: caller.scope, principal: caller.principal.id }, organization, { text, file, revision })
      const set = await view(caller.scope, code, organization)
      tellAct(context, request, 'a policy was set', { organization: code, revision: set.revision })
      return set
    },
  )
}

function policyView(code: string, changes: readonly OrganizationPolicy[], names: Names): Static<typeof PolicySchema> {
  const [standing] = changes
  const { approvals, limits, protected: rules } = standing?.policy ?? defaultPolicy
  return {
    organization_code: code,
    revision: standing?.revision ?? 0,
    text: standing?.text ?? '',
    approvals: { ...approvals, skills: { ...approvals.skills }, by: [...approvals.by] },
    limits: { impact: { ...limits.impact }, quotas: { ...limits.quotas, skills: { ...limits.quotas.skills } }, spans: { ...limits.spans } },
    protected: rules.map(({ names, pattern, skills, reason }) => ({ names: [...names], pattern, skills: skills && [...skills], reason })),
    changes: changes.map(({ revision, changedAt, changedBy }) => ({
      revision,
      changed_at: changedAt,
      changed_by: changedBy,
      changed_by_name: names.get(changedBy) ?? null,
    })),
  }
}

function reportView({ skill, impact, quota, use, waiting }: QuotaReport): Static<typeof UsageSchema>['quotas'][number] {
  return { skill, impact, calls: quota.calls, per: quota.per, used: use.calls, since: use.since, waiting }
}

import type { FastifyRequest } from 'fastify'
import { asId, type Digest, type OrganizationId, type Scope } from '../../../domain/index.ts'
import { type Activated, placeNamed } from '../../../playbook/index.ts'
import { type Static, Type } from '../../../schema/index.ts'
import { tellAct } from '../../act.ts'
import { type Caller, callerOf } from '../../auth/index.ts'
import type { Api, ApiContext } from '../../context.ts'
import { batchBodyFactor, maxPlaybookLength } from '../../limits.ts'
import { operation } from '../../operation.ts'
import { nullable, oneOf } from '../../schemas.ts'
import { checkErrors, organizationCodesOf, organizationIdsOf } from '../shared/index.ts'
import { findingView, impactView, kinds, placeParameters, playbookViews } from './view.ts'

const maxTexts = 200

const Code = Type.Optional(
  nullable(Type.String({ maxLength: 256, description: 'The organization to activate it for; null or absent: all organizations.' })),
)
const Check = Type.Optional(Type.Boolean({ description: 'True: check everything and change nothing.' }))
const Revision = Type.Integer({ minimum: 0, description: 'The revision that must be the current one; 0: there must be none.' })

const ActivationRequestSchema = Type.Object(
  {
    playbooks: Type.Array(
      Type.Object(
        {
          text: Type.String({ format: 'text', minLength: 1, maxLength: maxPlaybookLength, description: 'The YAML.' }),
          file: Type.Optional(Type.String({ minLength: 1, maxLength: 500, description: 'The name that messages use for the text.' })),
        },
        { additionalProperties: false },
      ),
      { minItems: 1, maxItems: maxTexts, description: 'They are checked together, and all or none are activated.' },
    ),
    organization_code: Code,
    revisions: Type.Optional(
      Type.Record(Type.String(), Revision, {
        description: 'The expected current revision, by key (normalised alert type, or name of a sub-playbook). Absent keys are not checked.',
      }),
    ),
    keep_edits: Type.Optional(Type.Boolean({ description: 'True: keep edits and withdrawals, as the import of a folder does.' })),
    check: Check,
  },
  { additionalProperties: false },
)

const RollbackRequestSchema = Type.Object(
  {
    digest: Type.String({ pattern: '^sha256:[0-9a-f]{64}$', description: 'The digest of a text that was active for this alert type or name.' }),
    kind: placeParameters.kind,
    organization_code: Code,
    revision: Type.Optional(Revision),
    check: Check,
  },
  { additionalProperties: false },
)

export const ActivatedSchema = Type.Object(
  {
    name: Type.String(),
    kind: oneOf(kinds),
    file: Type.String(),
    digest: Type.String(),
    findings: Type.Array(Type.Ref('Finding#'), { description: 'Warnings.' }),
    impact: Type.Ref('Impact#'),
    places: Type.Array(
      Type.Object({
        key: Type.String(),
        outcome: oneOf(['activated', 'unchanged', 'kept_edit'], 'What happened to the place. With `check`: what would happen.'),
        standing: Type.Unsafe<object | null>({ anyOf: [{ $ref: 'Playbook#' }, { type: 'null' }], description: 'The active playbook. Null: none.' }),
        replaced: nullable(
          Type.String({
            description: 'The name of another playbook that was active here before. With `check`: that would be replaced. Null: there is none.',
          }),
        ),
      }),
    ),
    unbound: Type.Array(
      Type.Object({
        organization_code: Type.String(),
        slots: Type.Array(Type.Object({ slot: Type.String(), why: Type.String() })),
      }),
      { description: 'Organizations in which its runs would fail, because a required slot has no connection.' },
    ),
    over_policy: Type.Array(
      Type.Object({
        organization_code: Type.String(),
        exceeded: Type.Array(Type.Object({ name: oneOf(['high', 'write', 'targets']), most: Type.Integer(), limit: Type.Integer() })),
      }),
      {
        description:
          'For a shared playbook: organizations without their own playbook whose policy allows less than the worst case of a run. A run that exceeds the policy fails there.',
      },
    ),
  },
  { $id: 'ActivatedPlaybook', description: 'What the activation of a playbook did, or would do.' },
)

const AnswerSchema = Type.Object({ checked_only: Type.Boolean(), playbooks: Type.Array(Type.Ref('ActivatedPlaybook#')) })

/** Error codes of an activation that is refused. */
const refusals = [
  'playbook_invalid',
  'playbook_breaks_others',
  'policy_exceeded',
  'playbooks_exceeded',
  'playbook_changed',
  'organization_unknown',
  'organization_forbidden',
  ...checkErrors,
] as const

/** Adds what changes the active playbooks: activate a text, roll back, withdraw. */
export function playbookActivationRoutes(app: Api, context: ApiContext): void {
  const { store, playbooks, bodyLimit } = context.services
  app.addSchema(ActivatedSchema)

  const organizationOf = async ({ scope }: Caller, code: string | null | undefined, field: string): Promise<OrganizationId | null> => {
    if (code === null || code === undefined) return null
    const [id] = await organizationIdsOf(store, scope, [code], field)
    return id ?? null
  }

  const viewOf = async (scope: Scope, activated: Activated): Promise<Static<typeof ActivatedSchema>> => {
    const { candidate, digest, places, unbound, overPolicy } = activated
    const [standing, codes] = await Promise.all([
      playbookViews(
        store,
        scope,
        places.flatMap((each) => each.standing ?? []),
      ),
      organizationCodesOf(
        store,
        scope,
        [...unbound, ...overPolicy].map(({ organization }) => organization),
      ),
    ])
    return {
      name: candidate.name,
      kind: places[0]?.place.kind ?? 'playbook',
      file: candidate.file,
      digest,
      findings: candidate.warnings.map(findingView),
      impact: impactView(candidate.impact),
      places: places.map(({ place, outcome, replaced }) => ({
        key: place.key,
        outcome,
        standing: standing.find(({ key }) => key === place.key) ?? null,
        replaced: replaced?.name ?? null,
      })),
      unbound: unbound.map(({ organization, slots }) => ({
        organization_code: codes.get(organization) ?? organization,
        slots: slots.map((slot) => ({ ...slot })),
      })),
      over_policy: overPolicy.map(({ organization, exceeded }) => ({
        organization_code: codes.get(organization) ?? organization,
        exceeded: exceeded.map((each) => ({ ...each })),
      })),
    }
  }

  app.post(
    '/platformapi/playbooks',
    {
      ...operation(
        context,
        {
          id: 'activatePlaybooks',
          tag: 'playbooks',
          summary: 'Activate playbooks',
          description:
            'Activates a playbook for each of its alert types, and a sub-playbook under its name. Takes effect for new runs within a second. Started runs keep their version. ' +
            'If one playbook has an error, all are refused. A shared playbook needs a key of all organizations.',
          permission: 'playbooks:write',
          errors: refusals,
        },
        { body: ActivationRequestSchema, querystring: Type.Object({}), response: { 200: AnswerSchema } },
      ),
      bodyLimit: bodyLimit * batchBodyFactor,
    },
    async (request) => {
      const caller = callerOf(request)
      const { organization_code: code, revisions = {}, keep_edits: keep = false, check = false } = request.body
      const activated = await playbooks.activation.activate(
        { scope: caller.scope, principal: caller.principal.id },
        {
          files: request.body.playbooks.map(({ text, file }, index) => ({ text, file: file ?? `playbooks.${index}` })),
          organization: await organizationOf(caller, code, 'organization_code'),
          revisions: new Map(Object.entries(revisions)),
          source: keep ? 'folder' : 'edited',
          check,
        },
      )
      const answer = await Promise.all(activated.map((each) => viewOf(caller.scope, each)))
      if (!check) tellActivated(context, request, 'playbooks were activated', code, answer)
      return { checked_only: check, playbooks: answer }
    },
  )

  app.post(
    '/platformapi/playbooks/:key/rollback',
    operation(
      context,
      {
        id: 'rollBackPlaybook',
        tag: 'playbooks',
        summary: 'Activate an earlier version of a playbook again',
        description: 'It is checked like a new playbook, and refused if it no longer fits the loaded plugins.',
        permission: 'playbooks:write',
        errors: ['playbook_unknown', 'playbook_version_unknown', ...refusals],
      },
      {
        params: Type.Object({ key: Type.String({ maxLength: 1_000 }) }),
        body: RollbackRequestSchema,
        querystring: Type.Object({}),
        response: { 200: AnswerSchema },
      },
    ),
    async (request) => {
      const caller = callerOf(request)
      const { digest, kind = 'playbook', organization_code: code, revision = null, check = false } = request.body
      const place = placeNamed(kind, request.params.key, await organizationOf(caller, code, 'organization_code'))
      const actor = { scope: caller.scope, principal: caller.principal.id }
      const activated = await playbooks.activation.rollback(actor, place, asId<Digest>(digest), revision, check)
      const answer = [await viewOf(caller.scope, activated)]
      if (!check) tellActivated(context, request, 'an earlier playbook was activated', code, answer)
      return { checked_only: check, playbooks: answer }
    },
  )

  app.delete(
    '/platformapi/playbooks/:key',
    operation(
      context,
      {
        id: 'withdrawPlaybook',
        tag: 'playbooks',
        summary: 'Withdraw the playbook of an alert type, or a sub-playbook',
        description:
          "The next playbook in order is used then: the shared one after an organization's own, a generated one after that. The history stays.",
        permission: 'playbooks:write',
        errors: ['playbook_unknown', 'playbook_breaks_others', 'playbook_changed', 'organization_unknown', 'organization_forbidden', ...checkErrors],
      },
      {
        params: Type.Object({ key: Type.String({ maxLength: 1_000 }) }),
        querystring: Type.Object({ ...placeParameters, revision: Type.Optional(Revision) }),
        response: { 204: Type.Null({ description: 'Withdrawn.' }) },
      },
    ),
    async (request, reply) => {
      const caller = callerOf(request)
      const { organization, kind = 'playbook', revision = null } = request.query
      const place = placeNamed(kind, request.params.key, await organizationOf(caller, organization, 'organization'))
      await playbooks.activation.withdraw({ scope: caller.scope, principal: caller.principal.id }, place, revision)
      tellAct(context, request, 'a playbook was withdrawn', { kind, key: request.params.key, organization: organization ?? null })
      return reply.code(204).send(null)
    },
  )
}

/** The most names and places in a log line: an import may have hundreds. */
const mostTold = 50

function tellActivated(
  context: ApiContext,
  request: FastifyRequest,
  act: string,
  organization: string | null | undefined,
  activated: readonly Static<typeof ActivatedSchema>[],
): void {
  const changed = activated.filter(({ places }) => places.some(({ outcome }) => outcome === 'activated'))
  const playbooks = changed
    .slice(0, mostTold)
    .map(({ name, digest, places }) => ({ name, digest, keys: places.map(({ key }) => key).slice(0, mostTold) }))
  tellAct(context, request, act, { organization: organization ?? null, count: changed.length, playbooks })
}

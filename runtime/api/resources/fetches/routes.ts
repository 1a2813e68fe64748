import { type AlertFetch, asId, type ConnectionId, type FetchId } from '../../../domain/index.ts'
import type { FetchChange, FetchDraft, FetchView } from '../../../fetches/index.ts'
import { type Static, Type } from '../../../schema/index.ts'
import { tellAct } from '../../act.ts'
import { callerOf } from '../../auth/index.ts'
import type { Api, ApiContext } from '../../context.ts'
import { operation } from '../../operation.ts'
import { cursorsOf, nextCursor, pageParameters } from '../../request/index.ts'
import { pageOf, Uuid } from '../../schemas.ts'
import { FetchChangeSchema, FetchSchema, FetchTrialSchema, fetchView, NewFetchSchema, trialView } from './view.ts'

const params = Type.Object({ id: Uuid })
const querystring = Type.Object({})
const refusals = ['fetch_invalid', 'organization_unknown', 'organization_forbidden', 'provider_unknown'] as const

/** Adds `/platformapi/fetches`: try, create, list, read, change and remove what fetches alerts. */
export function fetchRoutes(app: Api, context: ApiContext): void {
  const { fetches } = context.services
  const cursors = cursorsOf('fetches', null)
  for (const schema of [FetchSchema, FetchTrialSchema]) app.addSchema(schema)

  app.get(
    '/platformapi/fetches',
    operation(
      context,
      {
        id: 'listFetches',
        tag: 'fetches',
        summary: "List the fetches of the key's organizations",
        permission: 'connections:read',
        errors: ['cursor_invalid'],
      },
      { querystring: Type.Object(pageParameters), response: { 200: pageOf('Fetch') } },
    ),
    async (request) => {
      const { cursor, limit } = request.query
      const after = cursor === undefined ? null : asId<FetchId>(String(cursors.decode(cursor)[0]))
      const page = await fetches.list(callerOf(request).scope, { after, limit })
      return { items: page.items.map(fetchView), next_cursor: nextCursor(page, cursors, ({ id }) => [id]) }
    },
  )

  app.post(
    '/platformapi/fetches',
    operation(
      context,
      {
        id: 'createFetch',
        tag: 'fetches',
        summary: 'Create a fetch',
        description: 'Its first attempt begins within a second. It needs the scope alerts:write too.',
        permission: 'connections:write',
        errors: [...refusals, 'fetches_exceeded'],
      },
      { body: NewFetchSchema, querystring, response: { 201: Type.Ref('Fetch#') } },
    ),
    async (request, reply) => {
      const fetch = await fetches.create(callerOf(request).principal, draftOf(request.body))
      tellAct(context, request, 'a fetch was created', named(fetch))
      return reply.code(201).send(fetchView(fetch))
    },
  )

  app.post(
    '/platformapi/fetches/try',
    operation(
      context,
      {
        id: 'tryFetch',
        tag: 'fetches',
        summary: 'Show what a fetch would bring, and store nothing',
        description: 'Calls the skill once. The answer has status 200 even if the call fails; the body says why.',
        permission: 'connections:write',
        errors: refusals,
      },
      { body: NewFetchSchema, querystring, response: { 200: Type.Ref('FetchTrial#') } },
    ),
    async (request) => {
      const { connection, skill, organization_code: organization } = request.body
      const trial = await fetches.try(callerOf(request).principal, draftOf(request.body), context.closing)
      tellAct(context, request, 'a fetch was tried', { connection, skill, organization, found: trial.found, code: trial.failure?.code ?? null })
      return trialView(trial)
    },
  )

  app.get(
    '/platformapi/fetches/:id',
    operation(
      context,
      { id: 'getFetch', tag: 'fetches', summary: 'Read a fetch', permission: 'connections:read', errors: ['fetch_unknown'] },
      { params, querystring, response: { 200: Type.Ref('Fetch#') } },
    ),
    async (request) => fetchView(await fetches.get(callerOf(request).scope, asId<FetchId>(request.params.id))),
  )

  app.patch(
    '/platformapi/fetches/:id',
    operation(
      context,
      {
        id: 'changeFetch',
        tag: 'fetches',
        summary: 'Change, enable or disable a fetch, or fetch again',
        description: 'An attempt under way ends without effect, but its alerts stay. The next attempt begins within a second.',
        permission: 'connections:write',
        errors: ['fetch_unknown', 'fetch_changed', ...refusals],
      },
      { params, body: FetchChangeSchema, querystring, response: { 200: Type.Ref('Fetch#') } },
    ),
    async (request) => {
      const fetch = await fetches.revise(callerOf(request).principal, asId<FetchId>(request.params.id), changeOf(request.body))
      const { revision: _, ...fields } = request.body
      tellAct(context, request, 'a fetch was changed', { ...named(fetch), revision: fetch.revision, fields: Object.keys(fields) })
      return fetchView(fetch)
    },
  )

  app.post(
    '/platformapi/fetches/:id/now',
    operation(
      context,
      {
        id: 'fetchNow',
        tag: 'fetches',
        summary: 'Begin the next attempt of a fetch now',
        description: 'It begins within a second, but not before ten seconds after the last one ended.',
        permission: 'connections:write',
        errors: ['fetch_unknown'],
      },
      { params, querystring, response: { 200: Type.Ref('Fetch#') } },
    ),
    async (request) => {
      const fetch = await fetches.hurry(callerOf(request).scope, asId<FetchId>(request.params.id))
      tellAct(context, request, 'a fetch was asked for now', named(fetch))
      return fetchView(fetch)
    },
  )

  app.delete(
    '/platformapi/fetches/:id',
    operation(
      context,
      {
        id: 'deleteFetch',
        tag: 'fetches',
        summary: 'Delete a fetch',
        description: 'Its alerts stay.',
        permission: 'connections:write',
        errors: ['fetch_unknown'],
      },
      { params, querystring, response: { 204: Type.Null({ description: 'Deleted.' }) } },
    ),
    async (request, reply) => {
      const { scope } = callerOf(request)
      const fetch = await fetches.get(scope, asId<FetchId>(request.params.id))
      await fetches.remove(scope, fetch.id)
      tellAct(context, request, 'a fetch was deleted', named(fetch))
      return reply.code(204).send(null)
    },
  )
}

function draftOf(body: Static<typeof NewFetchSchema>): FetchDraft {
  return {
    name: body.name,
    organizationCode: body.organization_code,
    connection: asId<ConnectionId>(body.connection),
    skill: body.skill,
    input: body.input,
    reading: {
      items: body.items_at,
      provider: body.alert_provider,
      type: body.alert_type ?? null,
      typeAt: body.alert_type_at ?? null,
      idAt: body.idempotency_key_at ?? null,
      createdAt: body.created_at_source_at ?? null,
    },
    every: body.every_seconds * 1_000,
    overlap: body.overlap_seconds * 1_000,
    enabled: body.enabled,
    since: body.since ?? null,
  }
}

/** Takes the fields that were sent, and no other. */
function changeOf(body: Static<typeof FetchChangeSchema>): FetchChange {
  const sent = <V, N extends string>(name: N, value: V | undefined): Partial<Record<N, V>> =>
    value === undefined ? {} : ({ [name]: value } as Record<N, V>)
  const reading: Partial<AlertFetch['reading']> = {
    ...sent('items', body.items_at),
    ...sent('provider', body.alert_provider),
    ...sent('type', body.alert_type),
    ...sent('typeAt', body.alert_type_at),
    ...sent('idAt', body.idempotency_key_at),
    ...sent('createdAt', body.created_at_source_at),
  }
  return {
    revision: body.revision,
    ...sent('name', body.name),
    ...sent('connection', body.connection === undefined ? undefined : asId<ConnectionId>(body.connection)),
    ...sent('skill', body.skill),
    ...sent('input', body.input),
    ...(Object.keys(reading).length > 0 && { reading }),
    ...sent('every', body.every_seconds === undefined ? undefined : body.every_seconds * 1_000),
    ...sent('overlap', body.overlap_seconds === undefined ? undefined : body.overlap_seconds * 1_000),
    ...sent('enabled', body.enabled),
    ...sent('since', body.since),
  }
}

/** Names a fetch for the log. */
function named({ id: fetch, name, organizationCode: organization, instance, skill }: FetchView) {
  return { fetch, name, organization, instance, skill }
}

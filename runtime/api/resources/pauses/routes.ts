import { type ActedOn, asId, ownerOf, type Pause, type PauseAct, type PauseId, pausedThing } from '../../../domain/index.ts'
import { TocsinError } from '../../../errors/index.ts'
import { Type } from '../../../schema/index.ts'
import { tellAct } from '../../act.ts'
import { type Caller, callerOf } from '../../auth/index.ts'
import type { Api, ApiContext } from '../../context.ts'
import { operation } from '../../operation.ts'
import { cursorsOf, nextCursor, pageParameters, timeAndId } from '../../request/index.ts'
import { oneOf, pageOf, Uuid } from '../../schemas.ts'
import { pauseTargetOf } from './target.ts'
import { PauseSchema, pauseView } from './view.ts'

const maxReason = 2_000
const reason = Type.Optional(
  Type.String({ format: 'text', minLength: 1, maxLength: maxReason, description: 'The reason. Everybody who may read the pause sees it.' }),
)

const PauseBody = Type.Object(
  {
    organization: Type.Optional(
      Type.String({ maxLength: 256, description: 'Organization code. With `playbook`: that playbook in this organization only.' }),
    ),
    playbook: Type.Optional(Type.String({ minLength: 1, maxLength: 256, description: 'Name of a playbook or sub-playbook.' })),
    connection: Type.Optional(Type.String({ format: 'uuid', description: 'Id of a connection. Not together with other fields.' })),
    reason,
  },
  { additionalProperties: false },
)

const ListQuery = Type.Object({
  state: Type.Optional(oneOf(['standing', 'resumed'], 'Absent: both.')),
  ...pageParameters,
})

const path = '/platformapi/pauses'
const params = Type.Object({ id: Uuid })

function unknownPause(): never {
  throw new TocsinError('pause_unknown', 'No pause that this key may see has this id.')
}

/** Adds `/platformapi/pauses`: list, read, begin and end pauses. */
export function pauseRoutes(app: Api, context: ApiContext): void {
  const { store, clock, ids } = context.services
  app.addSchema(PauseSchema)

  const actOf = ({ principal }: Caller, why: string | undefined): PauseAct => ({
    at: clock.now(),
    principal: principal.id,
    by: principal.name,
    reason: why ?? null,
  })

  app.get(
    path,
    operation(
      context,
      {
        id: 'listPauses',
        tag: 'pauses',
        summary: 'List pauses, newest first',
        description: 'Use `state=standing` for active pauses. Ended pauses stay in the list, and say who resumed them.',
        permission: 'pauses:read',
        errors: ['cursor_invalid'],
      },
      { querystring: ListQuery, response: { 200: pageOf('Pause') } },
    ),
    async (request) => {
      const { cursor, limit, state } = request.query
      const cursors = cursorsOf('pauses', { state })
      const after = timeAndId(cursors, cursor)
      const page = await store.pauses.list(callerOf(request).scope, {
        ...(state && { standing: state === 'standing' }),
        after: after && { pausedAt: after.time, id: asId<PauseId>(after.id) },
        limit,
      })
      return { items: page.items.map(pauseView), next_cursor: nextCursor(page, cursors, ({ paused, id }) => [paused.at, id]) }
    },
  )

  app.get(
    `${path}/:id`,
    operation(
      context,
      { id: 'getPause', tag: 'pauses', summary: 'Read a pause', permission: 'pauses:read', errors: ['pause_unknown'] },
      { params, querystring: Type.Object({}), response: { 200: Type.Ref('Pause#') } },
    ),
    async (request) => pauseView((await store.pauses.get(callerOf(request).scope, asId<PauseId>(request.params.id))) ?? unknownPause()),
  )

  app.post(
    path,
    operation(
      context,
      {
        id: 'pause',
        tag: 'pauses',
        summary: 'Pause everything, an organization, a playbook or a connection',
        description:
          'After the answer, no new write is sent. A second later, no run starts or continues. A write that is leaving at that moment may still be sent. If the target is paused already, answers that pause. Everything, a playbook of all organizations and a shared connection need a key of all organizations.',
        permission: 'pauses:write',
        errors: ['organization_unknown', 'playbook_unknown', 'connection_unknown', 'organization_forbidden'],
      },
      { body: PauseBody, querystring: Type.Object({}), response: { 200: Type.Ref('Pause#') } },
    ),
    async (request) => {
      const caller = callerOf(request)
      const { reason: why, ...named } = request.body
      const target = await pauseTargetOf(store, caller, named)
      const pause: Pause = { id: asId<PauseId>(ids.uuid()), target, paused: actOf(caller, why), resumed: null }
      const standing = await store.pauses.begin(caller.scope, pause)
      if (standing.id === pause.id) tellAct(context, request, `paused: ${pausedThing(target)}`, { ...pauseOn(pause), reason: why ?? null }, 'warn')
      return pauseView(standing)
    },
  )

  app.delete(
    `${path}/:id`,
    operation(
      context,
      {
        id: 'resume',
        tag: 'pauses',
        summary: 'Resume what is paused',
        description:
          'What the pause held continues by itself within seconds, unless another pause holds it too. The pause stays in the list. An ended pause does not change.',
        permission: 'pauses:write',
        errors: ['pause_unknown', 'organization_forbidden'],
      },
      { params, querystring: Type.Object({ reason }), response: { 200: Type.Ref('Pause#') } },
    ),
    async (request) => {
      const caller = callerOf(request)
      const act = actOf(caller, request.query.reason)
      const over = (await store.pauses.end(caller.scope, asId<PauseId>(request.params.id), act)) ?? unknownPause()
      if (over.resumed?.at === act.at) {
        tellAct(context, request, `resumed: ${pausedThing(over.target)}`, { ...pauseOn(over), reason: act.reason }, 'warn')
        context.services.resumed()
      }
      return pauseView(over)
    },
  )
}

/** Names a pause and its target for the log. */
function pauseOn({ id: pause, target }: Pause): ActedOn {
  return {
    pause,
    organization: ownerOf(target)?.code ?? null,
    ...(target.kind === 'playbook' && { playbook: target.playbook }),
    ...(target.kind === 'connection' && { connection: target.connection, instance: target.instance }),
  }
}

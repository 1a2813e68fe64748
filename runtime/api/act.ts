import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Act, type ActedOn, type ActId, asId, boundedDetails, type Principal } from '../domain/index.ts'
import { callerOf } from './auth/index.ts'
import type { ApiContext } from './context.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Resolves when the acts of this request are in the audit log, or the log says that they are late or lost. Null: there are none. */
    recorded: Promise<unknown> | null
  }
}

type Context = Pick<ApiContext, 'services' | 'acts'>
type Level = 'info' | 'warn'
/** What was done, and by whom. */
type Told = Pick<Act, 'action' | 'text' | 'on'> & { readonly principal: Principal; readonly level?: Level }

/**
 * Records a change that a person or a script made over the API: who (id and name), what, and on what. It writes one log line, and an entry
 * of the audit log, after the change is done. Every operation that changes something calls this (`test/e2e/api/acts.test.ts`). Changes of a
 * case, a run or an alert are recorded there, too.
 */
export function tellAct(context: Context, request: FastifyRequest, text: string, on: ActedOn, level: Level = 'info'): void {
  const action = request.routeOptions.config.operation?.id
  if (action === undefined) throw new Error(`The route of ${request.routeOptions.url} has no operation.`)
  tellActOf(context, request, { principal: callerOf(request).principal, action, text, on, level })
}

/** Like `tellAct`, for a route without a guard or an operation. */
export function tellActOf({ services, acts }: Context, request: FastifyRequest, { principal, action, text, on, level = 'info' }: Told): void {
  const { clock, ids, logger } = services
  const who = { principal: principal.id, by: principal.name }
  logger[level]({ ...who, ...on }, text)
  const act: Act = { id: asId<ActId>(ids.uuid()), at: clock.now(), ...who, action, text, on: boundedDetails(on) }
  request.recorded = Promise.all([request.recorded, acts.write(act)])
}

/** A hook: an answer leaves when the store has taken the acts of its request, or has failed to. Requests without an act do not wait. */
export function afterActs(request: FastifyRequest, _reply: FastifyReply, payload: unknown, done: (error: null, payload: unknown) => void): void {
  if (request.recorded === null) done(null, payload)
  else void request.recorded.then(() => done(null, payload))
}

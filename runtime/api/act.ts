import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Act, type ActedOn, type ActId, asId, boundedDetails, type Principal, systemScope } from '../domain/index.ts'
import { callerOf } from './auth/index.ts'
import type { ApiContext } from './context.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Resolves when the acts of this request are in the audit log, or the log says that they are not. Null: there are none. */
    recorded: Promise<unknown> | null
  }
}

type Context = Pick<ApiContext, 'services'>

/**
 * Records a change that a person or a script made over the API: who (id and name), what, and on what. It writes one log line, and an entry
 * of the audit log, after the change is done. Every operation that changes something calls this (`test/e2e/api/acts.test.ts`). Changes of a
 * case, a run or an alert are recorded there, too.
 */
export function tellAct(context: Context, request: FastifyRequest, text: string, on: ActedOn, level: 'info' | 'warn' = 'info'): void {
  const action = request.routeOptions.config.operation?.id
  if (action === undefined) throw new Error(`The route of ${request.routeOptions.url} has no operation.`)
  tellActOf(context, request, callerOf(request).principal, action, text, on, level)
}

/** Like `tellAct`, for a route without a guard or an operation. */
export function tellActOf(
  { services }: Context,
  request: FastifyRequest,
  principal: Principal,
  action: string,
  text: string,
  on: ActedOn,
  level: 'info' | 'warn' = 'info',
): void {
  const { store, clock, ids, logger } = services
  logger[level]({ principal: principal.id, by: principal.name, ...on }, text)
  const act: Act = {
    id: asId<ActId>(ids.uuid()),
    at: clock.now(),
    principal: principal.id,
    by: principal.name,
    action,
    text,
    on: boundedDetails(on),
  }
  const written = store.acts.add(systemScope, act).catch((error: unknown) => {
    // The change is done, and its log line is written. So the request has not failed.
    logger.error({ err: error, act: act.id, action }, 'the audit log lacks an act: the store did not take it')
  })
  request.recorded = Promise.all([request.recorded, written])
}

/** A hook: an answer leaves when the acts of its request are in the audit log. Requests without an act do not wait. */
export function afterActs(request: FastifyRequest, _reply: FastifyReply, payload: unknown, done: (error: null, payload: unknown) => void): void {
  if (request.recorded === null) done(null, payload)
  else void request.recorded.then(() => done(null, payload))
}

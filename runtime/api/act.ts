import type { FastifyRequest } from 'fastify'
import type { Json, Principal } from '../domain/index.ts'
import { callerOf } from './auth/index.ts'
import type { ApiContext } from './context.ts'

/** The things that a request acted on, by names and ids. Never a credential, and nothing of an alert or an answer except the targets of a call. */
export type ActedOn = Readonly<Record<string, Json>>

type Log = Pick<ApiContext, 'services'>

/**
 * Logs a change that a person or a script made over the API: who (id and name), what, and on what. One line, after it is done. Every
 * operation that changes something calls this (`test/e2e/api/acts.test.ts`). Changes of a case, a run or an alert are recorded there, too.
 */
export function tellAct(context: Log, request: FastifyRequest, act: string, on: ActedOn, level: 'info' | 'warn' = 'info'): void {
  tellActOf(context, callerOf(request).principal, act, on, level)
}

/** Like `tellAct`, for a route without a guard. */
export function tellActOf({ services }: Log, principal: Principal, act: string, on: ActedOn, level: 'info' | 'warn' = 'info'): void {
  services.logger[level]({ principal: principal.id, by: principal.name, ...on }, act)
}

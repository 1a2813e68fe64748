import type { FastifyRequest } from 'fastify'
import type { Json, Principal } from '../domain/index.ts'
import { callerOf } from './auth/index.ts'
import type { ApiContext } from './context.ts'

/** What was acted on, by names and ids. Never a credential, and nothing of an alert or an answer but the targets of a call. */
export type ActedOn = Readonly<Record<string, Json>>

type Log = Pick<ApiContext, 'services'>

/**
 * Tells the log what a person, or a script, has done over the API: who, by id and name, what, and on what; one line, once it is done. Every
 * operation that changes something calls it (`test/e2e/api/acts.test.ts`). What concerns a case, a run or an alert stands there besides.
 */
export function tellAct(context: Log, request: FastifyRequest, act: string, on: ActedOn, level: 'info' | 'warn' = 'info'): void {
  tellActOf(context, callerOf(request).principal, act, on, level)
}

/** The same, where no guard has said who it is. */
export function tellActOf({ services }: Log, principal: Principal, act: string, on: ActedOn, level: 'info' | 'warn' = 'info'): void {
  services.logger[level]({ principal: principal.id, by: principal.name, ...on }, act)
}

import type { FastifyReply, FastifyRequest } from 'fastify'
import { may, type Permission } from '../../domain/index.ts'
import { TocsinError } from '../../errors/index.ts'
import type { Gatekeeper } from './gatekeeper.ts'
import { presentedKey } from './presented.ts'
import type { Caller } from './verifier.ts'

export type { Caller } from './verifier.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the guard. Null on the few routes that anybody may call. */
    caller: Caller | null
  }
}

/** Runs before the body is read. Calls back synchronously if the key is known, so that the hot path has no promise. */
export type Guard = (request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void) => void

/** Returns the API key of a request, or null if it has none. */
type KeyOf = (request: FastifyRequest) => string | null

const keyInHeaders: KeyOf = ({ headers }) => presentedKey(headers)

/** The key is the parameter `key` of the path. */
export const keyInPath: KeyOf = ({ params }) => (params as { readonly key?: string }).key ?? ''

interface GuardOptions {
  readonly keyOf?: KeyOf
  /** Admits a caller as `Gatekeeper.admitWithoutStore` does. */
  readonly withoutStore?: boolean
}

/** Makes the guard of an operation: the caller needs a valid key whose principal has the permission. Null: any valid key. */
export type GuardFactory = (permission: Permission | null, options?: GuardOptions) => Guard

/**
 * Makes hooks that let a request pass if its key has a permission. Others are refused with `key_missing`,
 * `key_rejected` or `permission_missing`.
 */
export function guardFactory(gate: Gatekeeper): GuardFactory {
  return (permission, { keyOf = keyInHeaders, withoutStore = false } = {}) =>
    (request, _reply, done) => {
      const value = keyOf(request)
      if (value === null) {
        done(new TocsinError('key_missing', 'Send the API key as Cookie: Session=<key> or as Authorization: Bearer <key>.'))
        return
      }
      const answer = withoutStore ? gate.admitWithoutStore(value, request.ip) : gate.admit(value, request.ip)
      if (answer instanceof Promise)
        answer.then(
          (caller) => done(admit(request, caller, permission)),
          (error: Error) => done(error),
        )
      else done(admit(request, answer, permission))
    }
}

function admit(request: FastifyRequest, caller: Caller | null, permission: Permission | null): TocsinError | undefined {
  if (caller === null) return new TocsinError('key_rejected', 'The API key is mistyped, revoked or expired, or belongs to another installation.')
  if (permission !== null && !may(caller.principal, permission)) return new TocsinError('permission_missing', `This needs the scope ${permission}.`)
  request.caller = caller
  return undefined
}

/** Returns the caller of a request on a route with a guard. */
export function callerOf(request: FastifyRequest): Caller {
  if (request.caller === null) throw new TocsinError('internal', 'The route has no guard.')
  return request.caller
}

/** Refuses a caller whose key is limited to some organizations. @throws TocsinError `organization_forbidden` */
export function requireAllOrganizations(caller: Caller): void {
  if (caller.principal.organizations !== 'all') {
    throw new TocsinError('organization_forbidden', 'The key is limited to some organizations, and this is for all of them.')
  }
}

/** Refuses a caller without a permission that only some requests of an operation need. @throws TocsinError `permission_missing` */
export function requirePermission({ principal }: Caller, permission: Permission): void {
  if (!may(principal, permission)) throw new TocsinError('permission_missing', `This needs the scope ${permission}.`)
}

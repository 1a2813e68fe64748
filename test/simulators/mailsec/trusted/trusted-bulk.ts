import type { Reply } from '../../faults.ts'
import { type Check, fieldFault, isListOf, isOneOf, isText, withBody } from '../checks.ts'
import type { Call, Route } from '../route.ts'
import { type TrustedKind, trustedKinds } from '../vocabulary.ts'
import type { TrustedEntities, TrustedEntity, TrustedRefusal, TrustedSettings } from './trusted.ts'
import { trustedValueFault } from './trusted-values.ts'

/** The most operations in one request (specification 8). */
const most = 200

interface Operation extends TrustedSettings {
  readonly operation: 'create' | 'update' | 'delete'
  readonly id?: string
  readonly kind?: TrustedKind
  readonly value?: string
}

interface Result {
  readonly status: 'succeeded' | 'failed'
  readonly id?: string
  readonly error?: { readonly code: string; readonly message: string }
}

const words: Readonly<Record<TrustedRefusal, string>> = {
  not_found: 'There is no such trusted entity.',
  already_exists: 'There is a trusted entity of this kind with this value already.',
  system_managed: 'A system-managed entity cannot be deleted.',
}

/** Answers up to 200 operations. Each succeeds or fails by itself (specification 4.4, behaviour rule 3). */
export function bulkRoute(settings: Readonly<Record<string, Check>>): Route {
  const needed: Readonly<Record<Operation['operation'], readonly [Readonly<Record<string, Check>>, readonly string[]]>> = {
    create: [{ operation: isText, kind: isOneOf(trustedKinds), value: isText, ...settings }, ['kind', 'value']],
    update: [{ operation: isText, id: isText, ...settings }, ['id']],
    delete: [{ operation: isText, id: isText }, ['id']],
  }

  const operate = (entities: TrustedEntities, operation: Operation): Result => {
    const [fields, required] = needed[operation.operation]
    const fault = fieldFault({ ...operation }, fields, required)
    if (fault !== null) return { status: 'failed', error: { code: 'invalid_request', message: fault } }
    const { operation: kindOf, id = '', kind = 'domain', value = '', ...rest } = operation
    if (kindOf === 'create') {
      const wrong = trustedValueFault(kind, value)
      return wrong === null ? resultOf(entities.create(kind, value, rest)) : { status: 'failed', error: { code: 'invalid_request', message: wrong } }
    }
    return kindOf === 'update' ? resultOf(entities.update(id, rest), id) : resultOf(entities.delete(id), id)
  }

  const answer = (call: Call): Reply => {
    const isOperation: Check = (value) =>
      Object.hasOwn(needed, (value as { operation?: string } | null)?.operation ?? '') ? null : 'has no operation create, update or delete'
    return withBody<{ operations: readonly Operation[] }>(call, { operations: isListOf(isOperation, { least: 1, most }) }, ['operations'], (body) => {
      const results = body.operations.map((operation) => operate(call.tenant.trusted, operation))
      return { status: 200, body: JSON.stringify({ results }), written: true }
    })
  }
  return { path: ['trusted-entities', 'bulk'], methods: { POST: { role: 'analyst', query: {}, answer } } }
}

function resultOf(outcome: TrustedEntity | TrustedRefusal | null, id?: string): Result {
  if (typeof outcome === 'string') return { status: 'failed', ...(id !== undefined && { id }), error: { code: outcome, message: words[outcome] } }
  const done = outcome?.id ?? id
  return { status: 'succeeded', ...(done !== undefined && { id: done }) }
}

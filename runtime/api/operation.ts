import type { FastifySchema } from 'fastify'
import type { Permission } from '../domain/index.ts'
import type { ErrorCode } from '../errors/index.ts'
import { type Guard, keyInPath } from './auth/index.ts'
import type { ApiContext } from './context.ts'

/** What the OpenAPI document says about an operation, besides its schemas. */
export interface Operation {
  /** The OpenAPI operationId. */
  readonly id: string
  readonly tag: Tag
  readonly summary: string
  readonly description?: string
  /** `any`: it needs a valid key, whatever the key may do. Null: anybody may call it, without a key. */
  readonly permission: Permission | 'any' | null
  /** Set if the API key is the parameter `key` of the path, and not in a header. */
  readonly keyInPath?: true
  /** Set if a key that worked lately is enough while the store does not answer. */
  readonly withoutStore?: true
  /** Its own error codes. The codes of every operation (keys, bodies, the store) are added. */
  readonly errors?: readonly ErrorCode[]
  /** Request headers that it reads. */
  readonly headers?: readonly ('idempotency-key' | 'prefer' | 'traceparent')[]
  /**
   * Set if values of its body go to an external system or a playbook. A number that JavaScript cannot hold
   * exactly is then a text, as in the content of an alert.
   */
  readonly passesOn?: true
  /** The media types of its answer. Absent: only JSON. */
  readonly answers?: readonly MediaType[]
}

export type MediaType = 'application/json' | 'text/event-stream' | 'text/markdown' | 'text/plain' | 'application/pdf'

export const tags = [
  'alerts',
  'cases',
  'decisions',
  'organizations',
  'providers',
  'connections',
  'fetches',
  'integrations',
  'agents',
  'playbooks',
  'runs',
  'statistics',
  'webhooks',
  'pauses',
  'keys',
  'audit',
  'service',
] as const
type Tag = (typeof tags)[number]

declare module 'fastify' {
  interface FastifyContextConfig {
    readonly operation?: Operation
  }
}

/** Makes the options of a route: its schemas, its guard, and its OpenAPI description. Every route uses this. */
export function operation<const S extends FastifySchema>(context: ApiContext, about: Operation, schema: S) {
  const needed = about.permission === 'any' ? null : about.permission
  const options = { ...(about.keyInPath && { keyOf: keyInPath }), withoutStore: about.withoutStore === true }
  const onRequest: Guard[] = about.permission === null ? [] : [context.guard(needed, options)]
  return { schema, config: { operation: about }, onRequest }
}

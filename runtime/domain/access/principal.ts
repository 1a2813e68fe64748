import type { KeyId, OrganizationId, PrincipalId } from '../ids.ts'
import type { Millis } from '../seams.ts'
import type { Scope } from './scope.ts'

/** What a principal may do. `admin` includes all other permissions. */
export const permissions = [
  'alerts:read',
  'alerts:write',
  'cases:read',
  'cases:write',
  'decisions:read',
  'decisions:answer',
  'organizations:read',
  'organizations:write',
  'policy:read',
  'policy:write',
  'providers:read',
  'providers:write',
  'connections:read',
  'connections:write',
  'agents:read',
  'agents:write',
  'playbooks:read',
  'playbooks:write',
  'runs:read',
  'runs:write',
  'webhooks:read',
  'webhooks:write',
  'pauses:read',
  'pauses:write',
  'keys:read',
  'keys:write',
  'metrics:read',
  'audit:read',
  'admin',
] as const
export type Permission = (typeof permissions)[number]

/** What an alert source needs. A new key gets these by default. */
export const alertSourcePermissions: readonly Permission[] = ['alerts:write', 'alerts:read', 'organizations:read', 'providers:read']

/** Who acts: a person, a script or an alert source. It proves its identity with an API key. */
export interface Principal {
  readonly id: PrincipalId
  readonly name: string
  readonly permissions: readonly Permission[]
  readonly organizations: 'all' | readonly OrganizationId[]
  readonly createdAt: Millis
  /** The principal whose key made it. It never changes. Null: no key did, as for the administrator of the first start, or nobody kept it. */
  readonly createdBy: PrincipalId | null
}

/**
 * The most keys that are valid for one organization, and the most for all organizations. Whoever lists keys, or
 * mentions people, makes the store read all of them.
 */
export const mostKeys = 500

export interface ApiKey {
  readonly id: KeyId
  readonly principal: PrincipalId
  readonly name: string
  /**
   * SHA-256 of the key's value, in hexadecimal. The value itself is not kept. It has 256 random bits, so a
   * slow hash would add nothing.
   */
  readonly hash: string
  readonly createdAt: Millis
  readonly revokedAt: Millis | null
  /** The key does not work from then on. Null: it never expires. */
  readonly expiresAt: Millis | null
  /** When it last worked: up to `keyUseSpacing` too early. Null: it has never worked, or not since Tocsin notes this. */
  readonly lastUsedAt: Millis | null
}

/** A process notes that a key works if no use was noted for this time. So a busy key costs no writes. */
export const keyUseSpacing: Millis = 5 * 60_000

/** Returns whether a key still works: it is neither revoked nor expired. */
export function isValid({ revokedAt, expiresAt }: Pick<ApiKey, 'revokedAt' | 'expiresAt'>, now: Millis): boolean {
  return revokedAt === null && (expiresAt === null || now < expiresAt)
}

/** Returns whether a principal has a permission. `admin` has all. */
export function may(principal: Principal, permission: Permission): boolean {
  return principal.permissions.includes('admin') || principal.permissions.includes(permission)
}

/** Returns the organizations whose data a principal sees. */
export function scopeOf(principal: Principal): Scope {
  return { organizations: principal.organizations }
}

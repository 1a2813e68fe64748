import { may, type OrganizationId, type Permission, type Principal } from '../domain/index.ts'

/** The kinds of objects in the feed, and the permission that reads each. */
const readPermission = {
  alert: 'alerts:read',
  case: 'cases:read',
  run: 'runs:read',
  decision: 'decisions:read',
  playbook: 'playbooks:read',
  integration: 'connections:read',
  connection: 'connections:read',
  agent: 'agents:read',
  pause: 'pauses:read',
  policy: 'policy:read',
  organization: 'organizations:read',
  provider: 'providers:read',
  webhook: 'webhooks:read',
  fetch: 'connections:read',
  key: 'keys:read',
} as const satisfies Record<string, Permission>

export type FeedObject = keyof typeof readPermission
export const feedObjects = Object.keys(readPermission) as readonly FeedObject[]

export const changeKinds = ['created', 'changed', 'removed'] as const
export type ChangeKind = (typeof changeKinds)[number]

/**
 * Whom an object belongs to. `shared`: everybody. `operators`: principals of all organizations. A list: principals who see all these
 * organizations.
 */
export type Belonging = 'shared' | 'operators' | readonly OrganizationId[]

/** A hint that an object changed. */
export interface Change {
  readonly object: FeedObject
  /** The id of the object in the API. Null: too many objects of this kind changed to name them. */
  readonly id: string | null
  readonly change: ChangeKind
  readonly of: Belonging
}

/** Returns whether a principal may see the change: whether it may read the object. */
export function isSeenBy({ object, of }: Change, principal: Principal): boolean {
  if (!may(principal, readPermission[object])) return false
  const { organizations } = principal
  if (of === 'shared' || organizations === 'all') return true
  return of !== 'operators' && of.every((organization) => organizations.includes(organization))
}

/** Returns whether a principal may read at least one kind of object. */
export function seesAny(principal: Principal): boolean {
  return Object.values(readPermission).some((permission) => may(principal, permission))
}

/** Combines two changes of the same object, one after the other, into one. */
export function together(earlier: ChangeKind, later: ChangeKind): ChangeKind {
  return later === 'changed' ? earlier : later
}

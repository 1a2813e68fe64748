import type { ConnectionId, OrganizationId, PauseId, PrincipalId } from '../ids.ts'
import type { Run } from '../runs/run.ts'
import type { Millis } from '../seams.ts'
import { timeText } from '../text/index.ts'

/** The organization that a pause is limited to. */
export interface PauseOwner {
  readonly organization: OrganizationId
  readonly code: string
}

/** What is paused. `owner` null: in every organization. */
export type PauseTarget =
  | { readonly kind: 'everything' }
  | { readonly kind: 'organization'; readonly owner: PauseOwner }
  /** Runs of the playbook, and runs that may use it as a sub-playbook. */
  | { readonly kind: 'playbook'; readonly playbook: string; readonly owner: PauseOwner | null }
  /** `owner` null: the connection is shared. */
  | { readonly kind: 'connection'; readonly connection: ConnectionId; readonly instance: string; readonly owner: PauseOwner | null }

/** Who paused or resumed, when and why. */
export interface PauseAct {
  readonly at: Millis
  readonly principal: PrincipalId
  /** The principal's name. */
  readonly by: string
  readonly reason: string | null
}

/** Stops claims and writes of its target, from `paused` until `resumed`. */
export interface Pause {
  readonly id: PauseId
  readonly target: PauseTarget
  readonly paused: PauseAct
  /** Null while the pause is active. */
  readonly resumed: PauseAct | null
}

/** The pause check refused a write. `pause` is null if the store did not say whether the write is paused. */
export interface TurnedAway {
  readonly pause: PauseId | null
}

/**
 * Returns the organization that a pause is limited to. Null if it affects several: only a principal that may
 * act for all of them may start or end it.
 */
export function ownerOf(target: PauseTarget): PauseOwner | null {
  return target.kind === 'everything' ? null : target.owner
}

/** Returns the key of the paused thing. Each key has at most one active pause. */
export function pauseKey(target: PauseTarget): string {
  const owner = ownerOf(target)?.organization ?? null
  switch (target.kind) {
    case 'everything':
    case 'organization':
      return JSON.stringify([target.kind, owner])
    case 'playbook':
      return JSON.stringify([target.kind, owner, target.playbook])
    case 'connection':
      return JSON.stringify([target.kind, target.connection])
  }
}

/** What pauses are checked against: everything that a run may use, or what one write uses. */
export interface Pausable {
  /** Null for a manual call with a shared connection. */
  readonly organization: OrganizationId | null
  /** Names of the playbook and of sub-playbooks. */
  readonly playbooks: readonly string[]
  readonly connections: readonly ConnectionId[]
}

/**
 * Returns what pauses are checked against before a run is claimed: all that it has pinned. A run whose writes
 * a pause would stop is not claimed, so it does not start only to stop again.
 */
export function pausableRun({ organization, pins }: Pick<Run, 'organization' | 'pins'>): Pausable {
  return {
    organization,
    playbooks: [pins.playbook.name, ...Object.keys(pins.playbooks)],
    connections: Object.values(pins.connections).map(({ id }) => id),
  }
}

function covers(target: PauseTarget, { organization, playbooks, connections }: Pausable): boolean {
  const owner = ownerOf(target)
  if (owner !== null && owner.organization !== organization) return false
  switch (target.kind) {
    case 'everything':
    case 'organization':
      return true
    case 'playbook':
      return playbooks.includes(target.playbook)
    case 'connection':
      return connections.includes(target.connection)
  }
}

/** Returns the pauses that stop it. */
export function pausesOf(standing: readonly Pause[], what: Pausable): readonly Pause[] {
  return standing.filter(({ target, resumed }) => resumed === null && covers(target, what))
}

/** Returns what is paused, in words: `the playbook contain-host of ACME`. */
export function pausedThing(target: PauseTarget): string {
  const of = ownerOf(target) === null ? '' : ` of ${ownerOf(target)?.code}`
  switch (target.kind) {
    case 'everything':
      return 'everything'
    case 'organization':
      return `the organization ${target.owner.code}`
    case 'playbook':
      return `the playbook ${target.playbook}${of}`
    case 'connection':
      return `the connection ${target.instance}${of}`
  }
}

/** Describes a pause in a sentence: what is paused, since when, by whom and why. */
export function pauseSentence({ target, paused: { at, by, reason } }: Pause): string {
  const thing = pausedThing(target)
  const what = thing.charAt(0).toUpperCase() + thing.slice(1)
  return `${what} has been paused since ${timeText(at)} by ${by}${reason === null ? '.' : `: ${reason}`}`
}

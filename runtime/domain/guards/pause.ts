import type { ConnectionId, OrganizationId, PauseId, PrincipalId } from '../ids.ts'
import type { Run } from '../runs/run.ts'
import type { Millis } from '../seams.ts'

/** The organization that a pause is confined to. */
export interface PauseOwner {
  readonly organization: OrganizationId
  readonly code: string
}

/** What is paused. `owner` null: in every organization. */
export type PauseTarget =
  | { readonly kind: 'everything' }
  | { readonly kind: 'organization'; readonly owner: PauseOwner }
  /** Runs of the playbook, and those that may run it as a sub-playbook. */
  | { readonly kind: 'playbook'; readonly playbook: string; readonly owner: PauseOwner | null }
  /** `owner` null: the connection is shared. */
  | { readonly kind: 'connection'; readonly connection: ConnectionId; readonly instance: string; readonly owner: PauseOwner | null }

/** Who paused or resumed, and why. */
export interface PauseAct {
  readonly at: Millis
  readonly principal: PrincipalId
  /** The principal's name. */
  readonly by: string
  readonly reason: string | null
}

/** No claim and no write of what it names, from `paused` until `resumed`. */
export interface Pause {
  readonly id: PauseId
  readonly target: PauseTarget
  readonly paused: PauseAct
  /** Null: it stands. */
  readonly resumed: PauseAct | null
}

/** A write did not get past the gate before the socket. `pause` null: the store did not say whether it is paused. */
export interface TurnedAway {
  readonly pause: PauseId | null
}

/** Null: the pause concerns more than one organization, and only who reaches all of them may begin and end it. */
export function ownerOf(target: PauseTarget): PauseOwner | null {
  return target.kind === 'everything' ? null : target.owner
}

/** Key of the paused thing. At most one pause stands for each key. */
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

/** What a pause looks at: of a run all that it may use, of a write what it is sent by. */
export interface Pausable {
  /** Null: of a shared connection that is used by hand. */
  readonly organization: OrganizationId | null
  /** Names: the playbook, and sub-playbooks. */
  readonly playbooks: readonly string[]
  readonly connections: readonly ConnectionId[]
}

/** A run with all that it has pinned: what could stop a write of it keeps it from being claimed, so that it is not taken up only to stop again. */
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

/** Those of the pauses that stop it. */
export function pausesOf(standing: readonly Pause[], what: Pausable): readonly Pause[] {
  return standing.filter(({ target, resumed }) => resumed === null && covers(target, what))
}

/** What is paused, in words: `the playbook contain-host of ACME`. */
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

/** A pause in a sentence: what, since when, by whom, why. */
export function pauseSentence({ target, paused: { at, by, reason } }: Pause): string {
  const thing = pausedThing(target)
  const what = thing.charAt(0).toUpperCase() + thing.slice(1)
  return `${what} is paused since ${new Date(at).toISOString()} by ${by}${reason === null ? '.' : `: ${reason}`}`
}

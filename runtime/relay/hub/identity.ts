import type { AgentId, Millis, OrganizationId } from '../../domain/index.ts'
import type { RefusalCode, SignIn } from '../link/index.ts'

/** What a connection names: several agents may serve one name. An organization's connections use only its own agents. */
export interface AgentName {
  /** Null: the operator's agents, for connections that all organizations share. */
  readonly organization: OrganizationId | null
  readonly name: string
}

/** The agents that a connection may go through. */
export interface Wanted extends AgentName {
  /** One agent. Null: any of the name. */
  readonly id: AgentId | null
}

/** Whether agents that are silent at the moment come last, or are not asked. */
export type Silent = 'last' | 'never'

/** An agent that has proved who it is. */
export interface Identity extends AgentName {
  readonly id: AgentId
}

export type Admission = { readonly ok: true; readonly agent: Identity } | { readonly ok: false; readonly code: RefusalCode; readonly message: string }

/** Finds the agent of a key that its sender has proved to have. Enrols it if it comes with a token. */
export type Identify = (signIn: Omit<SignIn, 'signature'>) => Promise<Admission>

/** Returns a text that names the agents of one name, and no others. */
export function nameKey({ organization, name }: AgentName): string {
  return JSON.stringify([organization, name])
}

/** What an agent does at the moment. */
export interface AgentStatus {
  readonly version: string
  /** When it connected. */
  readonly since: Millis
  /** From where it connected. */
  readonly address: string
  /** Whether it accepts no more streams, because it stops. */
  readonly draining: boolean
  readonly streams: number
  /** Streams since it connected. */
  readonly opened: number
  readonly sent: number
  readonly received: number
  /** Null: not measured yet. */
  readonly roundTrip: Millis | null
  /** The last connection that it could not make. Null: none since it connected. */
  readonly lastError: { readonly at: Millis; readonly message: string } | null
}

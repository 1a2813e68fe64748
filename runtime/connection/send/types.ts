import type { Connection, Millis, OrganizationId } from '../../domain/index.ts'
import type { Egress, PauseCheck, Route } from '../../egress/index.ts'
import type { Plugin, SendResult, SkillRequest, StreamResult } from '../../plugin/index.ts'
import type { CallAnswers } from '../answer/call-answers.ts'
import type { AccessToken } from '../tokens/index.ts'
import type { Vault } from '../vault/vault.ts'
import type { Deadline } from './deadline.ts'

/** For which connection requests are sent, and within which limits. */
export interface Sending {
  readonly plugin: Plugin
  readonly connection: Connection
  /** The organization that makes the call. Absent or null: the owner of the connection. */
  readonly organization?: OrganizationId | null
  /** The run, or one manual call. At the rate limit, the lanes of an organization take turns. */
  readonly lane: string
  /** The deadline of each request, including everything that it waits for. */
  readonly deadline: Deadline
  /** The time-out of a request that may change something. Absent: the deadline's time-out. */
  readonly writeTimeout?: Millis
  /** Runs right before a write leaves. Absent: the requests only read. */
  readonly pauseCheck?: PauseCheck
  /** The answers of the call that makes the requests. Absent: each request counts as its own call. */
  readonly answers?: CallAnswers
  /** Set if the first request must get a new access token, to prove that the credentials work. */
  readonly anew?: boolean
}

/** Sends requests with a connection's credentials, at its rate. */
export interface Sender {
  /** @param sendBy the time by which a write must leave. Absent: the deadline's `sendBy` */
  send(request: SkillRequest, sendBy?: Millis | null): Promise<SendResult>
  stream(request: SkillRequest, maxBytes: number): Promise<StreamResult>
}

/** A request, its connection, and what sends it. */
export interface Outgoing {
  readonly egress: Egress
  readonly vault: Vault
  readonly plugin: Plugin
  readonly connection: Connection
  /** How the connection reaches its system. Null: directly. */
  readonly route: Route | null
  readonly request: SkillRequest
  readonly pauseCheck?: PauseCheck | undefined
  /** Reads the answer. */
  readonly answers: CallAnswers
}

/** What the stages before signing have found for a request. It has its permit by now. */
export interface Departure extends Deadline {
  /** The time of sending, which the signature includes. */
  readonly now: Millis
  /** Null or absent if the auth scheme uses no access tokens. */
  readonly token?: AccessToken | null
  /** Values detected at the external system, for `detected.<name>` in the base path. */
  readonly detected?: Readonly<Record<string, string>>
}

/** A request that was not sent, or got no answer. */
export type NotDone = Exclude<SendResult, { effect: 'done' }>

import type { Connection, Millis } from '../../domain/index.ts'
import type { Egress, PauseCheck } from '../../egress/index.ts'
import type { Plugin, SendResult, SkillRequest, StreamResult } from '../../plugin/index.ts'
import type { CallAnswers } from '../answer/call-answers.ts'
import type { AccessToken } from '../tokens/index.ts'
import type { Vault } from '../vault/vault.ts'
import type { Deadline } from './deadline.ts'

/** Whose requests are sent, and within which limits. */
export interface Sending {
  readonly plugin: Plugin
  readonly connection: Connection
  /** The run, or one call by hand. At the rate limit, lanes take turns. */
  readonly lane: string
  /** For each request, including everything that it waits for. */
  readonly deadline: Deadline
  /** The time-out of a request that may change something. Absent: the deadline's. */
  readonly writeTimeout?: Millis
  /** Runs right before a write leaves. Absent: the requests only read. */
  readonly pauseCheck?: PauseCheck
  /** The answers of the call that the requests belong to. Absent: each request is a call of its own. */
  readonly answers?: CallAnswers
  /** Whether the first request gets a new access token, which proves the credentials. */
  readonly anew?: boolean
}

/** Sends requests with a connection's credentials, at its rate. */
export interface Sender {
  /** @param sendBy a write must leave by this time. Absent: the deadline's */
  send(request: SkillRequest, sendBy?: Millis | null): Promise<SendResult>
  stream(request: SkillRequest, maxBytes: number): Promise<StreamResult>
}

/** Whose request it is, and what it is sent with. */
export interface Outgoing {
  readonly egress: Egress
  readonly vault: Vault
  readonly plugin: Plugin
  readonly connection: Connection
  readonly request: SkillRequest
  readonly pauseCheck?: PauseCheck | undefined
  /** Reads the answer. */
  readonly answers: CallAnswers
}

/** What the stages before signing found for a request: it has its permit now. */
export interface Departure extends Deadline {
  /** When it is sent: the timestamp of its signature. */
  readonly now: Millis
  /** Null or absent: the auth scheme uses no access tokens. */
  readonly token?: AccessToken | null
  /** Values that were detected of the external system: `detected.<name>` in the base path. */
  readonly detected?: Readonly<Record<string, string>>
}

/** A request that was not sent, or has no answer. */
export type NotDone = Exclude<SendResult, { effect: 'done' }>

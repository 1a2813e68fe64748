import type { Effect, Millis, TurnedAway } from '../domain/index.ts'
import type { Route, RouteFailed } from './route.ts'

/** Why a write may not leave now. */
export interface Denial {
  readonly code: 'paused' | 'store_unavailable'
  readonly message: string
  readonly turnedAway: TurnedAway
}

/** Runs each time before a write leaves. Returns null if it may leave. Never rejects. */
export type PauseCheck = () => Promise<Denial | null>

/** One HTTP request to an external system, ready to leave: it is signed, and all its headers are set. */
export interface OutboundRequest {
  readonly method: string
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
  /**
   * The origins (scheme, host, port) that requests of this connection may go to. Everything else is
   * refused.
   */
  readonly origins: readonly string[]
  /** How the request reaches the system. It never goes another way. Null: over a socket of this machine. */
  readonly route: Route | null
  readonly timeout: Millis
  /** The most bytes that the answer's body may have. */
  readonly maxAnswer: number
  /** A write must not leave after this time (wall clock). Null for reads. */
  readonly sendBy: Millis | null
  /**
   * When the request's permit ends (wall clock). If it has not left by then, it needs another one.
   * Null or absent: no such limit.
   */
  readonly leaveBy?: Millis | null
  /**
   * Set if the request may go without TLS, provided that TOCSIN_EGRESS_ALLOW names the host.
   * Absent: never.
   */
  readonly plainHttp?: boolean
  /** Absent for reads. */
  readonly pauseCheck?: PauseCheck
}

export interface OutboundAnswer {
  readonly status: number
  /** Names are in lower case. Several values of one name are joined with `, `. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
}

/**
 * The outcome of a request. `not_sent`: nothing has left this machine. `refused`: the policy
 * refused it, so nothing has left. `unknown`: some of it may have arrived. `done`: it was answered.
 * Whether the answer is a success is for the manifest's error rows to say.
 */
export type OutboundResult =
  | { readonly effect: 'done'; readonly answer: OutboundAnswer }
  | {
      readonly effect: Exclude<Effect, 'done'>
      readonly code:
        | 'network'
        | 'call_timeout'
        | 'egress_refused'
        | 'answer_too_large'
        | 'send_too_late'
        | 'rate_limited'
        | RouteFailed['code']
        | Denial['code']
      readonly message: string
      readonly turnedAway?: TurnedAway
      /** The request had no connection by `leaveBy`. It may wait for another permit. */
      readonly turnPassed?: true
    }

/**
 * An answer whose body is read as it arrives. If the rest does not come, reading rejects with a
 * TocsinError that has one of the same codes.
 */
export type OutboundStream =
  | { readonly effect: 'done'; readonly answer: Omit<OutboundAnswer, 'body'> & { readonly body: AsyncIterable<Uint8Array>; cancel(): void } }
  | Exclude<OutboundResult, { effect: 'done' }>

export interface EgressSettings {
  /** Certificates (PEM) to trust in addition to the system's. */
  readonly ca: readonly string[]
  /** The entries of TOCSIN_EGRESS_ALLOW. */
  readonly allow: readonly string[]
  /** The most connections to one origin. Absent: 64. */
  readonly connections?: number
}

/** The one way out. */
export interface Egress {
  /** Returns why the URL of a request would be refused, or null if it would not. */
  objection(request: Pick<OutboundRequest, 'url' | 'origins' | 'route' | 'plainHttp'>): string | null
  call(request: OutboundRequest, signal?: AbortSignal): Promise<OutboundResult>
  /**
   * Opens a connection to the origin if none is free, so that the next request leaves at once.
   * Sends nothing. Resolves when there is a connection, when it cannot be opened, or after
   * `timeout`. Never rejects.
   */
  reach(request: Pick<OutboundRequest, 'url' | 'origins' | 'route' | 'plainHttp' | 'timeout'>, signal: AbortSignal): Promise<void>
  /**
   * Sends a read whose answer may be large. `timeout` limits each wait, `maxAnswer` the whole
   * answer. Read the body to its end, or stop with `cancel`, or with `return` once reading has
   * begun.
   */
  open(request: OutboundRequest, signal: AbortSignal): Promise<OutboundStream>
  /** Loads the HTTP client, so that the first call need not. */
  prepare(): Promise<void>
  close(): Promise<void>
}

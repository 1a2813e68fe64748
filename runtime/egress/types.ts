import type { Effect, Millis, TurnedAway } from '../domain/index.ts'

/** Why a write may not leave now. */
export interface Denial {
  readonly code: 'paused' | 'store_unavailable'
  readonly message: string
  readonly turnedAway: TurnedAway
}

/** Runs each time before a write leaves. Null: it may leave. Never rejects. */
export type PauseCheck = () => Promise<Denial | null>

/** One HTTP request to an external system, ready to leave: signed, every header set. */
export interface OutboundRequest {
  readonly method: string
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
  /** Where requests of this connection may go (scheme, host, port); everything else is refused. */
  readonly origins: readonly string[]
  readonly timeout: Millis
  /** Bytes of the answer's body. */
  readonly maxAnswer: number
  /** A write must not leave after this (wall clock); null for reads. */
  readonly sendBy: Millis | null
  /** If the request has not left by then (wall clock), its turn has passed. Null or absent: it may wait for its connection. */
  readonly leaveBy?: Millis | null
  /** Whether it may go without TLS if TOCSIN_EGRESS_ALLOW names the host. Absent: never. */
  readonly plainHttp?: boolean
  /** Absent for reads. */
  readonly pauseCheck?: PauseCheck
}

export interface OutboundAnswer {
  readonly status: number
  /** Names in lower case; several values joined by `, `. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
}

/**
 * What became of a request. `not_sent`: nothing left this machine. `refused`: the policy refused it, nothing left. `unknown`: some of
 * it may have arrived. `done`: it was answered; what the answer says of the effect is for the manifest's error rows.
 */
export type OutboundResult =
  | { readonly effect: 'done'; readonly answer: OutboundAnswer }
  | {
      readonly effect: Exclude<Effect, 'done'>
      readonly code: 'network' | 'call_timeout' | 'egress_refused' | 'answer_too_large' | 'send_too_late' | 'rate_limited' | Denial['code']
      readonly message: string
      readonly turnedAway?: TurnedAway
      /** It had no connection by `leaveBy`. It may take another turn. */
      readonly turnPassed?: true
    }

/** An answer whose body is read as it comes; reading it rejects with a TocsinError of the same codes when the rest does not come. */
export type OutboundStream =
  | { readonly effect: 'done'; readonly answer: Omit<OutboundAnswer, 'body'> & { readonly body: AsyncIterable<Uint8Array>; cancel(): void } }
  | Exclude<OutboundResult, { effect: 'done' }>

/** The one way out. */
export interface Egress {
  /** Why a request would be refused because of its URL; null: it would not. */
  objection(request: Pick<OutboundRequest, 'url' | 'origins' | 'plainHttp'>): string | null
  call(request: OutboundRequest, signal?: AbortSignal): Promise<OutboundResult>
  /**
   * Opens a connection to the origin if none is free, so that the next request leaves at once. Sends nothing. Resolves when there is a connection,
   * when opening it fails, or after `timeout`. Never rejects.
   */
  reach(request: Pick<OutboundRequest, 'url' | 'origins' | 'plainHttp' | 'timeout'>, signal: AbortSignal): Promise<void>
  /**
   * For large answers to reads. `timeout` limits each wait, `maxAnswer` the whole answer. Read the body to its end, or give it up: with `cancel`, or
   * with `return` once reading has begun.
   */
  open(request: OutboundRequest, signal: AbortSignal): Promise<OutboundStream>
  close(): Promise<void>
}

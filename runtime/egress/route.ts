import type { Duplex } from 'node:stream'
import type { Connection, Millis } from '../domain/index.ts'

/**
 * A TCP connection that something else has made for us, such as a remote agent. Emits `leaving` when what carries it will end as soon as
 * all of its connections have ended, or does not answer at the moment: then an idle one should end. Emits `spare` when others need the
 * memory that it has: then it should end if it is idle.
 */
export interface RouteStream extends Duplex {
  /** Whether it has emitted `leaving`, perhaps before anybody listened. */
  readonly leaving: boolean
  /** From now on, nothing that is written reaches the external system after this time (wall clock). Null: no such limit. */
  limit(until: Millis | null): void
}

/** A way to external systems other than a socket of this machine. */
export interface Route {
  /** Names the route. Connections are never shared between routes. */
  readonly key: string
  /**
   * Opens a TCP connection. The name is resolved, and the address checked, at the other end.
   * @throws RouteFailed
   */
  open(host: string, port: number): Promise<RouteStream>
}

/** Returns the route of a connection. Null: it is reached directly. */
export type RouteOf = (connection: Pick<Connection, 'organization' | 'remoteAgent'>) => Route | null

/** There is no connection over the route, so nothing was sent. */
export class RouteFailed extends Error {
  override readonly name = 'RouteFailed'
  readonly code: 'agent_offline' | 'agent_refused' | 'agent_busy' | 'network'
  /** The code of the other end's system, such as ECONNREFUSED. Null: it gave none. */
  readonly systemCode: string | null

  constructor(code: RouteFailed['code'], message: string, systemCode: string | null = null) {
    super(message)
    this.code = code
    this.systemCode = systemCode
  }
}

import type { Socket } from 'node:net'
import { createSecureContext, type SecureContext } from 'node:tls'
import { Agent, buildConnector, Client, type Dispatcher, Pool } from 'undici'
import type { Millis } from '../../domain/index.ts'
import type { Carried, Carrier } from '../carrier.ts'
import { type Route, RouteFailed, type RouteStream } from '../route.ts'

/** The most routes whose connections are kept. The connections of the one that was used longest ago are closed. */
const mostRoutes = 500
const keepAlive: Millis = 4_000
const connectTime: Millis = 15_000

/** The connection that a client has at the moment. A client has one at a time, and one request on it. */
class Line {
  #stream: RouteStream | null = null
  /** TLS over the stream. Null: it is not ready yet, and a request waits for it. */
  #socket: Socket | null = null
  #busy = false
  #leaving = false

  /** It has another connection. */
  renew(stream: RouteStream): void {
    this.#stream = stream
    this.#socket = null
    this.#leaving = stream.leaving
    stream.once('leaving', () => {
      if (stream !== this.#stream) return
      this.#leaving = true
      if (!this.#busy) this.#close()
    })
    stream.on('spare', () => {
      if (stream === this.#stream && !this.#busy) this.#close()
    })
  }

  /** Its connection is ready for requests. */
  ready(socket: Socket): void {
    this.#socket = socket
  }

  /** A request is about to be written. @param sendBy it must not reach the system after this time. Null: no such limit */
  begin(sendBy: Millis | null): void {
    this.#busy = true
    this.#stream?.limit(sendBy)
  }

  /** The request was answered, or failed. */
  end(): void {
    this.#busy = false
    // What TLS still sends is not part of the write.
    this.#stream?.limit(null)
    if (this.#leaving) this.#close()
  }

  /** Destroys what the client writes to. So the client sees at once that it needs another connection, and writes no request to this one. */
  #close(): void {
    this.#socket?.destroy()
  }
}

/** Connects over a route. TLS with the external system begins here, so the route carries encrypted bytes only. */
function connectorOver(route: Route, line: Line, secureContext: SecureContext): buildConnector.connector {
  // No session is shared with another route: each client remembers its own.
  const secure = buildConnector({ secureContext, rejectUnauthorized: true, allowH2: false, timeout: connectTime, maxCachedSessions: 10 })
  return (options, callback) => {
    if (options.protocol !== 'https:') return callback(new RouteFailed('network', 'Only HTTPS goes over a remote agent.'), null)
    const host = options.hostname.replace(/^\[|\]$/g, '')
    route.open(host, Number(options.port || 443)).then(
      (stream) => {
        line.renew(stream)
        // TLS needs a stream in both directions, not a socket of the system.
        secure({ ...options, httpSocket: stream as unknown as Socket }, (...made) => {
          if (made[1]) line.ready(made[1])
          callback(...made)
        })
      },
      (error: Error) => callback(error, null),
    )
  }
}

/** Sets the limit of the connection right before a request is written to it. */
class Limiting implements Dispatcher.DispatchHandler {
  readonly #handler: Dispatcher.DispatchHandler
  readonly #line: Line
  readonly #sendBy: Millis | null
  #begun = false

  constructor(handler: Dispatcher.DispatchHandler, line: Line, sendBy: Millis | null) {
    this.#handler = handler
    this.#line = line
    this.#sendBy = sendBy
  }

  onRequestStart(controller: Dispatcher.DispatchController, context: unknown): void {
    this.#begun = true
    this.#line.begin(this.#sendBy)
    this.#handler.onRequestStart?.(controller, context)
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number, headers: Record<string, string | string[] | undefined>): void {
    this.#handler.onResponseStart?.(controller, status, headers)
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#handler.onResponseData?.(controller, chunk)
  }

  onResponseEnd(controller: Dispatcher.DispatchController, trailers: Record<string, string | string[] | undefined>): void {
    this.#handler.onResponseEnd?.(controller, trailers)
    this.#end()
  }

  onResponseError(controller: Dispatcher.DispatchController, error: Error): void {
    this.#handler.onResponseError?.(controller, error)
    this.#end()
  }

  #end(): void {
    // A request that failed before it began leaves the line to the one that has it.
    if (this.#begun) this.#line.end()
    this.#begun = false
  }
}

/** One connection over a route. */
class RoutedClient extends Client {
  readonly #line: Line

  constructor(origin: string | URL, options: Client.Options, route: Route, secureContext: SecureContext) {
    const line = new Line()
    super(origin, { ...options, connect: connectorOver(route, line, secureContext) })
    this.#line = line
  }

  override dispatch(options: Carried, handler: Dispatcher.DispatchHandler): boolean {
    return super.dispatch(options, new Limiting(handler, this.#line, options.sendBy ?? null))
  }
}

/**
 * Returns the carrier of each route. No connection is shared between routes, so none is shared between organizations, or with requests
 * that go directly.
 * @param ca certificates (PEM) to trust in addition to the system's. Null: none
 * @param connections the most connections of a route to one origin
 */
export function routedCarriers(ca: readonly string[] | null, connections: number): { of(route: Route): Carrier; destroy(): Promise<void> } {
  const secureContext = createSecureContext(ca ? { ca: [...ca] } : {})
  /** The route that was used longest ago comes first. */
  const carriers = new Map<string, Agent>()
  const open = (route: Route): Agent =>
    new Agent({
      pipelining: 1,
      connections,
      headersTimeout: 0,
      bodyTimeout: 0,
      keepAliveTimeout: keepAlive,
      factory: (origin, options) =>
        new Pool(origin, { ...options, factory: (one, own) => new RoutedClient(one, own as Client.Options, route, secureContext) }),
    })
  return {
    of(route) {
      const carrier = carriers.get(route.key) ?? open(route)
      carriers.delete(route.key)
      carriers.set(route.key, carrier)
      const [oldest] = carriers
      if (carriers.size > mostRoutes && oldest) {
        carriers.delete(oldest[0])
        // Its requests may end.
        void oldest[1].close()
      }
      return carrier
    },
    async destroy() {
      const all = [...carriers.values()]
      carriers.clear()
      await Promise.all(all.map((agent) => agent.destroy()))
    },
  }
}

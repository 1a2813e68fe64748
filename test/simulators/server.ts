import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { pipeline, Readable } from 'node:stream'
import { promisify } from 'node:util'
import { type Fault, Faults, type Reply } from './faults.ts'
import type { Pki } from './pki.ts'

/** One request as it arrived. */
export interface SimulatedRequest {
  readonly method: string
  /** As it was sent, with percent-encoding, without the query. */
  readonly path: string
  /** As it was sent, without `?`. */
  readonly query: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** A request and its answer. `status` is null if the connection was cut instead. */
interface Exchange extends SimulatedRequest {
  readonly status: number | null
}

/** The simulated system. It answers a request at once. */
export type Answer = (request: SimulatedRequest) => Reply

export interface ServerSettings {
  readonly pki: Pki
  /** 0: any free port. */
  readonly port: number
  /** How many of the last exchanges are kept for assertions. */
  readonly remember: number
  /** Returns the milliseconds between the work and the answer. Absent: 0. */
  readonly answersAfter?: (request: SimulatedRequest) => number
  /** Called for each request whose work was done, but whose client was gone before the answer. */
  readonly onLost?: (request: SimulatedRequest) => void
}

/** A running simulator on the loopback interface. */
export interface SimulatorServer {
  /** `https://127.0.0.1:<port>`, so that no name has to be resolved. */
  readonly url: string
  /** The last exchanges, oldest first. */
  readonly exchanges: readonly Exchange[]
  /** The number of all requests since the start, and of those that changed something. */
  readonly counts: { readonly requests: number; readonly writes: number }
  readonly faults: Faults
  /** Returns how many connections are open. If there are none, everything that was sent has arrived. */
  connections(): Promise<number>
  close(): Promise<void>
}

/** Serves `answer` over HTTPS with keep-alive. */
export async function serveSimulator(answer: Answer, settings: ServerSettings): Promise<SimulatorServer> {
  const exchanges: Exchange[] = []
  const counts = { requests: 0, writes: 0 }
  const faults = new Faults()

  const note = (request: SimulatedRequest, status: number | null): void => {
    counts.requests += 1
    if (settings.remember === 0) return
    if (exchanges.length >= settings.remember) exchanges.shift()
    exchanges.push({ ...request, status })
  }

  const work = (request: SimulatedRequest): Reply => {
    const reply = answer(request)
    if (reply.written) counts.writes += 1
    return reply
  }

  const serve = (request: SimulatedRequest, response: ServerResponse): void => {
    const fault = faults.take(request.method, request.path)
    if (fault) return fail(fault, request, response)
    const reply = work(request)
    note(request, reply.status)
    const delay = settings.answersAfter?.(request) ?? 0
    if (delay > 0) setTimeout(() => deliver(request, response, reply), delay)
    else deliver(request, response, reply)
  }

  const deliver = (request: SimulatedRequest, response: ServerResponse, reply: Reply): void => {
    if (response.destroyed) settings.onLost?.(request)
    else send(response, reply)
  }

  const fail = (fault: Fault, request: SimulatedRequest, response: ServerResponse): void => {
    if (fault.kind === 'cut') {
      const reply = fault.when === 'before_effect' ? null : work(request)
      note(request, null)
      if (reply) settings.onLost?.(request)
      if (reply && fault.when === 'in_body') return cutInBody(response, reply)
      response.socket?.destroy()
      return
    }
    if (fault.kind === 'answer') {
      if (fault.effect === 'done') work(request)
      note(request, fault.reply.status)
      return send(response, fault.reply)
    }
    const reply = work(request)
    note(request, reply.status)
    if (fault.kind === 'hold') faults.hold(() => deliver(request, response, reply))
    else setTimeout(() => deliver(request, response, reply), fault.milliseconds)
  }

  const server = createServer({ key: settings.pki.key, cert: settings.pki.cert, keepAliveTimeout: 60_000 }, (message, response) => {
    receive(message, (request) => serve(request, response))
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(settings.port, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  return {
    url: `https://127.0.0.1:${port}`,
    exchanges,
    counts,
    faults,
    connections: promisify(server.getConnections.bind(server)),
    close: () =>
      new Promise((resolve) => {
        faults.clear()
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function receive(message: IncomingMessage, then: (request: SimulatedRequest) => void): void {
  const url = message.url ?? '/'
  const mark = url.indexOf('?')
  const head = {
    method: message.method ?? 'GET',
    path: mark < 0 ? url : url.slice(0, mark),
    query: mark < 0 ? '' : url.slice(mark + 1),
    headers: message.headers,
  }
  const bodiless = message.headers['content-length'] === undefined && message.headers['transfer-encoding'] === undefined
  if (bodiless) return then({ ...head, body: '' })
  const chunks: Buffer[] = []
  message.on('data', (chunk: Buffer) => chunks.push(chunk))
  message.on('end', () => then({ ...head, body: Buffer.concat(chunks).toString('utf8') }))
}

function send(response: ServerResponse, reply: Reply): void {
  if (response.destroyed) return
  if (reply.chunks) {
    response.writeHead(reply.status, { 'content-type': 'application/json', ...reply.headers })
    // If the client goes away, the answer stops. Nobody needs to know.
    pipeline(Readable.from(reply.chunks(), { objectMode: false }), response, () => undefined)
    return
  }
  const headers = { 'content-type': 'application/json', ...reply.headers, 'content-length': Buffer.byteLength(reply.body) }
  response.writeHead(reply.status, headers).end(reply.body)
}

function cutInBody(response: ServerResponse, reply: Reply): void {
  if (reply.chunks) {
    response.writeHead(reply.status, { 'content-type': 'application/json', ...reply.headers })
    const [first = ''] = reply.chunks()
    response.write(first, () => response.socket?.destroy())
    return
  }
  const body = Buffer.from(reply.body)
  response.writeHead(reply.status, { 'content-type': 'application/json', 'content-length': body.length })
  response.write(body.subarray(0, Math.floor(body.length / 2)), () => response.socket?.destroy())
}

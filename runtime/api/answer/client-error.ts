import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Clock, Millis } from '../../domain/index.ts'
import { type ErrorCode, registry } from '../../errors/index.ts'
import { onEveryAnswer } from './headers.ts'
import { problem, problemType } from './problem.ts'

/** How long a client may take to read an error answer before its connection is closed. */
const lingering: Millis = 2_000

/**
 * Answers a connection that the HTTP parser refuses: headers too large, a request too slow, no HTTP at all. Closes the connection
 * gently: an immediate close would reset a sender that is still writing, and it would never see the reason.
 */
export function clientErrorHandler(clock: Clock, nextId: () => string): (error: Error & { code?: string }, socket: Socket) => void {
  const answered = new WeakSet<Socket>()
  return (error, socket) => {
    // Discard what still arrives after the answer: it is not HTTP either.
    if (answered.has(socket)) return
    if (error.code === 'ECONNRESET' || error.code === 'EPIPE' || !socket.writable || hasAnswerUnderWay(socket)) {
      socket.destroy(error)
      return
    }
    answered.add(socket)
    socket.end(rawAnswer(codeOf(error), nextId()))
    socket.once(
      'close',
      clock.after(lingering, () => socket.destroy()),
    )
  }
}

/** Answers an `Expect` header other than `100-continue`, and the method CONNECT. By default, Node would only close the connection. */
export function refuseOtherProtocols(server: Server, nextId: () => string): void {
  server.on('checkExpectation', (_request: IncomingMessage, response: ServerResponse) => {
    const body = JSON.stringify(problem('expectation_unsupported', 'Only Expect: 100-continue is supported.', nextId()))
    const headers = { ...onEveryAnswer, 'content-type': problemType, 'content-length': Buffer.byteLength(body), connection: 'close' }
    response.writeHead(417, headers).end(body)
  })
  server.on('connect', (_request: IncomingMessage, socket: Duplex) => {
    socket.on('error', () => {})
    socket.end(rawAnswer('route_unknown', nextId()))
  })
}

/**
 * Returns whether an answer is being sent on a socket, or a complete request still waits for its answer. A refusal of what came
 * after that request would look like its answer, and say that nothing was done. Node has this field, but its types do not.
 */
function hasAnswerUnderWay(socket: Socket): boolean {
  const response = (socket as Socket & { readonly _httpMessage?: ServerResponse | null })._httpMessage
  return response != null && !response.writableEnded && (response.headersSent || response.req.complete)
}

function codeOf(error: { readonly code?: string }): ErrorCode {
  if (error.code === 'HPE_HEADER_OVERFLOW') return 'headers_too_large'
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') return 'request_timeout'
  return 'request_malformed'
}

function rawAnswer(code: ErrorCode, requestId: string): string {
  const { status } = registry[code]
  const body = JSON.stringify(problem(code, '', requestId))
  return (
    `HTTP/1.1 ${status} ${registry[code].title}\r\ncontent-type: ${problemType}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n` +
    `${Object.entries(onEveryAnswer)
      .map(([name, value]) => `${name}: ${value}\r\n`)
      .join('')}connection: close\r\n\r\n${body}`
  )
}

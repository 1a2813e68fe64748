import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { Pki } from '../simulators/pki.ts'

/** One request as the receiver got it. */
export interface Received {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

export type Answer = (response: ServerResponse, received: Received) => void

/** The HTTPS server of a webhook's receiver. It records requests, and answers as the test says. */
export class Receiver {
  readonly received: Received[] = []
  /** The answers by path. Other paths answer 200. */
  readonly answers = new Map<string, Answer>()
  readonly url: string
  readonly #server: Server

  private constructor(server: Server, url: string) {
    this.#server = server
    this.url = url
  }

  static async start({ key, cert }: Pki): Promise<Receiver> {
    const server = createServer({ key, cert })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const receiver = new Receiver(server, `https://127.0.0.1:${(server.address() as AddressInfo).port}`)
    server.on('request', (request, response) => {
      const chunks: Buffer[] = []
      request.on('data', (chunk: Buffer) => chunks.push(chunk))
      request.on('end', () => {
        const received = { path: request.url ?? '', headers: request.headers, body: Buffer.concat(chunks).toString('utf8') }
        receiver.received.push(received)
        const answer = receiver.answers.get(received.path)
        if (answer) answer(response, received)
        else response.end()
      })
    })
    return receiver
  }

  /** Returns the ids that a path received, in order of arrival. */
  idsAt(path: string): string[] {
    return this.received.filter((one) => one.path === path).map(({ headers }) => String(headers['webhook-id']))
  }

  reset(): void {
    this.received.length = 0
    this.answers.clear()
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }
}

export const status =
  (code: number, headers: Readonly<Record<string, string>> = {}): Answer =>
  (response) =>
    response.writeHead(code, headers).end()

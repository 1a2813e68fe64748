import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A span as OTLP/HTTP carries it in JSON. */
export interface ReceivedSpan {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly kind: number
  readonly startTimeUnixNano: string
  readonly endTimeUnixNano: string
  readonly status: { readonly code: number; readonly message?: string }
  readonly attributes: Readonly<Record<string, string | number>>
  readonly links: readonly { readonly traceId: string; readonly spanId: string }[]
  /** Attributes of the process that made it. */
  readonly resource: Readonly<Record<string, string | number>>
}

type Value = { readonly stringValue: string } | { readonly intValue: number | string }
type Attributes = readonly { readonly key: string; readonly value: Value }[]

function readAttributes(attributes: Attributes): Record<string, string | number> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, 'stringValue' in value ? value.stringValue : Number(value.intValue)]))
}

/** A collector of OpenTelemetry that keeps all spans. */
export class Collector {
  readonly spans: ReceivedSpan[] = []
  /** The headers and the path of each request. */
  readonly requests: { readonly path: string; readonly headers: IncomingHttpHeaders }[] = []
  /** How it answers. 0: it never does. */
  status = 200
  readonly #server: Server

  private constructor() {
    this.#server = createServer((request, response) => {
      const chunks: Buffer[] = []
      request.on('data', (chunk: Buffer) => chunks.push(chunk))
      request.on('end', () => {
        this.requests.push({ path: request.url ?? '', headers: request.headers })
        if (this.status === 200) this.#keep(Buffer.concat(chunks).toString())
        if (this.status !== 0) response.writeHead(this.status, { 'content-type': 'application/json' }).end('{}')
      })
    })
  }

  static async start(): Promise<Collector> {
    const collector = new Collector()
    await new Promise<void>((resolve) => void collector.#server.listen(0, '127.0.0.1', resolve))
    return collector
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  close(): Promise<void> {
    this.#server.closeAllConnections()
    return new Promise((resolve) => void this.#server.close(() => resolve()))
  }

  #keep(body: string): void {
    const { resourceSpans } = JSON.parse(body) as {
      resourceSpans: {
        resource: { attributes: Attributes }
        scopeSpans: { spans: (Omit<ReceivedSpan, 'attributes' | 'resource'> & { attributes: Attributes })[] }[]
      }[]
    }
    for (const { resource, scopeSpans } of resourceSpans)
      for (const { spans } of scopeSpans)
        for (const span of spans)
          this.spans.push({ ...span, attributes: readAttributes(span.attributes), resource: readAttributes(resource.attributes) })
  }
}

import type { Resource } from '@opentelemetry/resources'
import type { BatchSpanProcessor, ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace'
import type { Clock, Millis } from '../domain/index.ts'
import { trusted } from '../egress/index.ts'
import { messageOf } from '../errors/index.ts'
import { otelResources, otelTraceExporter, otelTraces } from '../packages/index.ts'
import { BoundedWarnings, type Logger } from '../telemetry/index.ts'
import { readable, type Span } from './span.ts'

/** Where traces go. */
export interface TracesTo {
  /** The address of the traces, such as `http://127.0.0.1:4318/v1/traces`. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** The name of this service in traces. */
  readonly service: string
}

export interface OutboxNeeds {
  readonly clock: Clock
  readonly logger: Logger
  readonly version: string
  /** Extra certificates to trust, as PEM. */
  readonly ca: readonly string[]
}

/** About 8 MB. Beyond that, spans are dropped: a collector must not fill the memory of a process. */
const mostWaiting = 8_192
const batch = 512
const delay: Millis = 1_000
/** How long one request with its retries may take. */
const patience: Millis = 5_000
/** How long a process that stops waits for its last spans. */
const lastPatience: Millis = 2_000

/** Sends spans to a collector, in batches and in the background. Never throws, and never makes anybody wait. */
export class SpanOutbox {
  readonly #needs: OutboxNeeds
  readonly #resource: Resource
  readonly #processor: BatchSpanProcessor
  readonly #warnings: BoundedWarnings
  #waiting = 0

  constructor(to: TracesTo, needs: OutboxNeeds) {
    this.#needs = needs
    this.#warnings = new BoundedWarnings(needs.logger, needs.clock, 1, 'more spans were lost')
    this.#resource = otelResources().resourceFromAttributes({ 'service.name': to.service, 'service.version': needs.version })
    const { OTLPTraceExporter } = otelTraceExporter()
    const ca = trusted(needs.ca)
    const exporter = new OTLPTraceExporter({
      url: to.url,
      headers: { ...to.headers },
      timeoutMillis: patience,
      ...(ca && { httpAgentOptions: { ca: [...ca], keepAlive: true } }),
    })
    const { BatchSpanProcessor } = otelTraces()
    this.#processor = new BatchSpanProcessor({
      exporter: this.#counted(exporter),
      maxQueueSize: mostWaiting,
      maxExportBatchSize: batch,
      scheduledDelayMillis: delay,
      exportTimeoutMillis: 2 * patience,
    })
  }

  add(span: Span): void {
    if (this.#waiting >= mostWaiting) return this.#lost(1, 'too many spans wait for the collector')
    this.#waiting += 1
    this.#processor.onEnd(readable(span, this.#resource, this.#needs.version))
  }

  /** Sends what waits, if the collector takes it soon. */
  close(): Promise<void> {
    return new Promise((resolve) => {
      const cancel = this.#needs.clock.after(lastPatience, resolve)
      const over = (): void => {
        cancel()
        resolve()
      }
      this.#processor.shutdown().then(over, over)
    })
  }

  /** Counts what the exporter has sent, and tells what it could not send. The processor alone would be silent about it. */
  #counted(exporter: SpanExporter): SpanExporter {
    return {
      export: (spans: ReadableSpan[], done) =>
        exporter.export(spans, (result) => {
          this.#waiting -= spans.length
          if (result.error) this.#lost(spans.length, messageOf(result.error))
          done(result)
        }),
      shutdown: () => exporter.shutdown(),
    }
  }

  #lost(spans: number, error: string): void {
    this.#warnings.warn({ spans, error }, 'could not send spans to OTEL_EXPORTER_OTLP_ENDPOINT; everything else goes on')
  }
}

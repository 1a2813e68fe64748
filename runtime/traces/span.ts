import type { HrTime, SpanKind } from '@opentelemetry/api'
import type { Resource } from '@opentelemetry/resources'
import type { ReadableSpan } from '@opentelemetry/sdk-trace'
import type { Millis } from '../domain/index.ts'
import { otelApi } from '../packages/index.ts'
import type { SenderSpan } from './sender-span.ts'

/** A time in which Tocsin did something for an alert. */
export interface Span {
  /** 32 hexadecimal digits. */
  readonly trace: string
  /** 16 hexadecimal digits. */
  readonly id: string
  /** The span that it is part of. Null: it is the first of its trace. */
  readonly parent: string | null
  readonly name: string
  readonly kind: 'received' | 'inside' | 'calls'
  readonly began: Millis
  readonly ended: Millis
  /** Null and undefined are left out. */
  readonly attributes: Readonly<Record<string, string | number | null | undefined>>
  /** The error code. Null: it did not fail. */
  readonly error: string | null
  /** The span of another system that it answers. Absent or null: there is none, or it is not known. */
  readonly sender?: SenderSpan | null
}

const kinds = { received: 'SERVER', inside: 'INTERNAL', calls: 'CLIENT' } as const satisfies Record<Span['kind'], keyof typeof SpanKind>

/** Returns a span in the form that OpenTelemetry's exporter takes. A clock that was set back must not make it end before it begins. */
export function readable(span: Span, resource: Resource, version: string): ReadableSpan {
  const { SpanKind, SpanStatusCode, TraceFlags } = otelApi()
  const context = (spanId: string, traceId = span.trace) => ({ traceId, spanId, traceFlags: TraceFlags.SAMPLED })
  const lasted = Math.max(0, span.ended - span.began)
  const attributes = { ...span.attributes, 'error.type': span.error }
  return {
    name: span.name,
    kind: SpanKind[kinds[span.kind]],
    spanContext: () => context(span.id),
    ...(span.parent !== null && { parentSpanContext: context(span.parent) }),
    startTime: hrTime(span.began),
    endTime: hrTime(span.began + lasted),
    duration: hrTime(lasted),
    status: span.error === null ? { code: SpanStatusCode.UNSET } : { code: SpanStatusCode.ERROR, message: span.error },
    attributes: Object.fromEntries(Object.entries(attributes).flatMap(([name, value]) => (value == null ? [] : [[name, value] as const]))),
    links: span.sender ? [{ context: context(span.sender.id, span.sender.trace) }] : [],
    events: [],
    ended: true,
    resource,
    instrumentationScope: { name: 'tocsin', version },
    droppedAttributesCount: 0,
    droppedEventsCount: 0,
    droppedLinksCount: 0,
  }
}

/** Returns seconds and nanoseconds. */
function hrTime(time: Millis): HrTime {
  const seconds = Math.floor(time / 1_000)
  return [seconds, Math.round((time - seconds * 1_000) * 1_000_000)]
}

/** Traces of alerts for OpenTelemetry: spans of runs, steps and calls, sent to a collector. Only this room imports `@opentelemetry`. */
export { SpanOutbox, type TracesTo } from './outbox.ts'
export { Tracer } from './tracer.ts'

import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { Collector } from '../../test/support/collector.ts'
import { systemClock } from '../config/index.ts'
import { createLogger } from '../telemetry/index.ts'
import { SpanOutbox } from './outbox.ts'
import type { Span } from './span.ts'

let collector: Collector
let lines: string[]
beforeAll(async () => {
  collector = await Collector.start()
})
afterAll(() => collector.close())
beforeEach(() => {
  lines = []
  collector.spans.length = 0
})

function outbox(): SpanOutbox {
  const logger = createLogger({ level: 'info', destination: { write: (line: string) => void lines.push(line) } })
  const to = { url: `${collector.url}/v1/traces`, headers: {}, service: 'tests' }
  return new SpanOutbox(to, { clock: systemClock, logger, version: '1.2.3', ca: [] })
}

function span(id: number, more: Partial<Span> = {}): Span {
  return {
    trace: '01a221702ea377db8d02010dc14292f1',
    id: String(id).padStart(16, '0'),
    parent: null,
    name: 'step a',
    kind: 'inside',
    began: 1_700_000_000_123,
    ended: 1_700_000_000_125,
    attributes: { 'tocsin.step.kind': 'set', 'tocsin.skill': null },
    error: null,
    ...more,
  }
}

test('a span arrives with its times, attributes and error', async () => {
  const spans = outbox()
  spans.add(span(1, { parent: '00000000000000ff', error: 'network' }))
  // The clock was set back meanwhile.
  spans.add(span(2, { ended: 1_600_000_000_000 }))
  await spans.close()
  expect(collector.spans).toMatchObject([
    {
      traceId: '01a221702ea377db8d02010dc14292f1',
      spanId: '0000000000000001',
      parentSpanId: '00000000000000ff',
      startTimeUnixNano: '1700000000123000000',
      endTimeUnixNano: '1700000000125000000',
      status: { code: 2, message: 'network' },
      attributes: { 'tocsin.step.kind': 'set', 'error.type': 'network' },
      resource: { 'service.name': 'tests', 'service.version': '1.2.3' },
    },
    { spanId: '0000000000000002', endTimeUnixNano: '1700000000123000000', status: { code: 0 } },
  ])
  expect(lines).toEqual([])
})

test('what a collector refuses is lost, and the log tells it once', async () => {
  collector.status = 400
  const spans = outbox()
  for (let id = 0; id < 2_000; id += 1) spans.add(span(id))
  await spans.close()
  collector.status = 200
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ level: 'warn', msg: expect.stringContaining('OTEL_EXPORTER_OTLP_ENDPOINT') }])
})

test('a collector that never answers fills no memory', async () => {
  collector.status = 0
  const spans = outbox()
  for (let id = 0; id < 8_195; id += 1) spans.add(span(id))
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ spans: 1, error: 'too many spans wait for the collector' }])
  await spans.close()
  collector.status = 200
})

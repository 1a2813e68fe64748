import { expect, test } from 'vitest'
import { ManualClock } from '../../test/support/clocks/manual-clock.ts'
import { TocsinError } from '../errors/index.ts'
import type { Store } from '../storage/index.ts'
import { aboutProcess, ofInstallation, ofProcess } from './definitions.ts'
import { Metrics } from './metrics.ts'

const alert = { uuid: 'a', createdAt: 1_800_000_000_000 - 90_000 }

/** A store in which two alerts wait, and one decision of two is about a write in doubt. */
function storeThat(
  pending: () => Promise<readonly object[]> = async () => [alert, alert],
  ping = async (): Promise<void> => {},
): { store: Store; readonly reads: number } {
  let reads = 0
  const store = {
    alerts: {
      pending: () => {
        reads += 1
        return pending()
      },
      get: async () => [alert],
    },
    decisions: { list: async (_scope: object, { kinds }: { kinds?: readonly string[] }) => ({ items: kinds ? [{}] : [{}, {}], more: false }) },
    pauses: { standing: async () => [{}, {}, {}] },
    fetches: { failing: async () => 2 },
    ping,
  } as unknown as Store
  return {
    store,
    get reads() {
      return reads
    },
  }
}

function metricsOf(found = storeThat()) {
  const clock = new ManualClock()
  return { clock, found, metrics: new Metrics({ store: found.store, clock, version: '1.2.3', agents: () => 4 }) }
}

const linesOf = (text: string): readonly string[] => text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
const seriesOf = (text: string, series: string): string | undefined =>
  linesOf(text)
    .find((line) => line.startsWith(`${series} `))
    ?.slice(series.length + 1)

test('everything that happened is counted', async () => {
  const { metrics } = metricsOf()
  for (const fresh of [true, true, false]) metrics.accepted(fresh)
  metrics.started(1_500)
  metrics.ended({ undo: false, state: 'completed', code: null, lasted: 400 })
  metrics.ended({ undo: false, state: 'failed', code: 'call_timeout', lasted: 400 })
  metrics.ended({ undo: true, state: 'failed', code: 'my_own_code', lasted: 400 })
  metrics.called('mfa', 'ok', 30)
  metrics.called('mfa', 'unknown', 30)
  metrics.answered({ method: 'GET', route: '/platformapi/alerts/:alert', status: 404, lasted: 12 })
  metrics.attempted('dead')
  metrics.answered({ method: 'GET', route: null, status: 404, lasted: 12 })
  metrics.answered({ method: 'PROPFIND', route: null, status: 404, lasted: 12 })
  const { text, type } = await metrics.read()
  expect(type).toBe('text/plain; version=0.0.4; charset=utf-8')
  expect(linesOf(text)).toEqual(
    expect.arrayContaining([
      'tocsin_alerts_accepted_total 2',
      'tocsin_alerts_repeated_total 1',
      'tocsin_alert_wait_seconds_sum 1.5',
      'tocsin_alert_wait_seconds_bucket{le="0.5"} 0',
      'tocsin_alert_wait_seconds_bucket{le="2"} 1',
      'tocsin_runs_ended_total{kind="investigation",state="completed",code=""} 1',
      'tocsin_runs_ended_total{kind="investigation",state="failed",code="call_timeout"} 1',
      'tocsin_runs_ended_total{kind="undo",state="failed",code="other"} 1',
      'tocsin_run_duration_seconds_sum{kind="investigation",state="completed"} 0.4',
      'tocsin_calls_total{integration="mfa",outcome="ok"} 1',
      'tocsin_calls_total{integration="mfa",outcome="unknown"} 1',
      'tocsin_call_duration_seconds_count{integration="mfa"} 2',
      'tocsin_http_request_duration_seconds_count{method="GET",route="/platformapi/alerts/:alert",status="4xx"} 1',
      'tocsin_http_request_duration_seconds_count{method="any",route="none",status="4xx"} 2',
      'tocsin_webhook_attempts_total{outcome="dead"} 1',
      'tocsin_info{version="1.2.3"} 1',
      'tocsin_agents_connected 4',
    ]),
  )
})

test('what waits is read from the store', async () => {
  const { text } = await metricsOf().metrics.read()
  const values = Object.values(ofInstallation).map(({ name }) => [name, seriesOf(text, name)])
  expect(Object.fromEntries(values)).toEqual({
    tocsin_store_up: '1',
    tocsin_alerts_waiting: '2',
    tocsin_oldest_waiting_alert_seconds: '90',
    tocsin_decisions_open: '2',
    tocsin_writes_in_doubt: '1',
    tocsin_pauses: '3',
    tocsin_fetches_failing: '2',
  })
})

test('the figures of the store are read at most once in ten seconds', async () => {
  const { metrics, clock, found } = metricsOf()
  await Promise.all([metrics.read(), metrics.read()])
  clock.advance(9_999)
  await metrics.read()
  expect(found.reads).toBe(1)
  clock.advance(1)
  await metrics.read()
  expect(found.reads).toBe(2)
})

const fails = () => Promise.reject(new TocsinError('store_unavailable', 'It is away.'))

test.each([
  ['fails', storeThat(fails)],
  ['does not answer', storeThat(() => new Promise<never>(() => {}))],
  ['can be read but not written, as with a full disk', storeThat(undefined, fails)],
])('a store that %s leaves its figures out, and is said to be down', async (_how, store) => {
  const { metrics, clock } = metricsOf(store)
  metrics.accepted(true)
  const read = metrics.read()
  clock.advance(5_000)
  const { text } = await read
  expect(seriesOf(text, 'tocsin_store_up')).toBe('0')
  expect(seriesOf(text, 'tocsin_alerts_accepted_total')).toBe('1')
  expect(text).not.toContain('tocsin_alerts_waiting')
})

test('a clock that was set back makes no negative time', async () => {
  const { metrics } = metricsOf()
  metrics.started(-5_000)
  expect((await metrics.read()).text).toContain('tocsin_alert_wait_seconds_sum 0\n')
})

test('the definitions name every metric of Tocsin, each with a help text', async () => {
  const { metrics } = metricsOf()
  const { text } = await metrics.read()
  const told = [...text.matchAll(/^# HELP (tocsin_\S+) (.+)$/gm)].map(([, name, help]) => [name, help])
  const known = [ofProcess, aboutProcess, ofInstallation].flatMap((group) => Object.values(group))
  expect(Object.fromEntries(told)).toEqual(Object.fromEntries(known.map(({ name, help }) => [name, help])))
})

test("Node's own figures begin with the first read", async () => {
  const { metrics } = metricsOf()
  expect((await metrics.read()).text).toContain('nodejs_eventloop_lag_seconds')
  expect((await metrics.read()).text.match(/^# TYPE process_resident_memory_bytes/gm)).toHaveLength(1)
})

test('what can be counted begins at 0, because Prometheus does not see the first event of a series that begins with it', async () => {
  const { metrics } = metricsOf()
  metrics.called('mfa', 'ok', 30)
  const { text } = await metrics.read()
  expect(linesOf(text)).toEqual(
    expect.arrayContaining([
      'tocsin_runs_ended_total{kind="investigation",state="completed",code=""} 0',
      'tocsin_runs_ended_total{kind="investigation",state="failed",code="run_cancelled"} 0',
      'tocsin_run_duration_seconds_count{kind="investigation",state="failed"} 0',
      'tocsin_run_duration_seconds_count{kind="undo",state="failed"} 0',
      'tocsin_calls_total{integration="mfa",outcome="not_sent"} 0',
      'tocsin_calls_total{integration="mfa",outcome="unknown"} 0',
      'tocsin_webhook_attempts_total{outcome="dead"} 0',
      'tocsin_fetch_attempts_total{outcome="failed"} 0',
    ]),
  )
})

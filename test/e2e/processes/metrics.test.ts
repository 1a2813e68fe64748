import { afterAll, beforeAll, expect, test } from 'vitest'
import { end, LookedAfter } from '../../rehearsal/looked-after.ts'

/* What a whole Tocsin counts while it investigates. */

let looked: LookedAfter
beforeAll(async () => {
  looked = await LookedAfter.start()
})
afterAll(() => looked?.stop())

async function series(): Promise<ReadonlyMap<string, number>> {
  const { url, key } = looked.one.admin
  const response = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${key}` } })
  expect(response.status).toBe(200)
  const lines = (await response.text()).split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return new Map(lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ') + 1))]))
}

test('an investigation and its calls are counted, and no value of a tenant is shown', async () => {
  const { alert } = await looked.one.investigate({ title: 'x', user: { email: 'alan.turing@acme.example' }, until: end })
  expect(alert).toMatchObject({ investigation_status: 15 })
  const found = await series()
  expect(Object.fromEntries(found)).toMatchObject({
    tocsin_alerts_accepted_total: 1,
    tocsin_alert_wait_seconds_count: 1,
    'tocsin_runs_ended_total{kind="investigation",state="completed",code=""}': 1,
    'tocsin_run_duration_seconds_count{kind="investigation",state="completed"}': 1,
    tocsin_store_up: 1,
    tocsin_alerts_waiting: 0,
    tocsin_decisions_open: 0,
  })
  expect(found.get('tocsin_calls_total{integration="mfa",outcome="ok"}')).toBeGreaterThanOrEqual(1)
  expect(found.get('tocsin_http_request_duration_seconds_count{method="POST",route="/platformapi/alerts",status="2xx"}')).toBe(1)
  expect([...found.keys()].join('\n')).not.toMatch(/alan|ACME|looked/)
})

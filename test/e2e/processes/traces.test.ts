import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Answer, request } from '../../../runtime/cli/client.ts'
import { LookedAfter } from '../../rehearsal/looked-after.ts'
import { openPki } from '../../simulators/pki.ts'
import { openDecisions } from '../../support/api/decisions.ts'
import { Collector, type ReceivedSpan } from '../../support/collector.ts'
import { OnePlaybook } from '../../support/one-playbook.ts'
import { newInstallation, shippedPlugin } from '../../support/processes/installation.ts'
import { until } from '../../support/until.ts'

/* The traces of a whole Tocsin, as a collector gets them. */

let collector: Collector
beforeAll(async () => {
  collector = await Collector.start()
})
afterAll(() => collector.close())

const toCollector = () => ({
  OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.url}/`,
  OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20canary-header',
  TOCSIN_PLUGINS: shippedPlugin('mfa'),
})

/** Returns the names of spans, each with what is inside of it. */
function tree(spans: readonly ReceivedSpan[], parent: ReceivedSpan | null): unknown {
  const inside = spans.filter(({ parentSpanId }) => (parent === null ? !parentSpanId : parentSpanId === parent.spanId))
  return Object.fromEntries(inside.map((span) => [span.name, tree(spans, span)]))
}

test('an alert is one trace: its receipt, its run, the steps and the calls', async () => {
  const looked = await LookedAfter.start(toCollector())
  const ended = await looked.one.investigate({ title: 'x', user: { email: 'alan.turing@acme.example' } })
  const { alert } = ended
  expect(alert).toMatchObject({ investigation_status: 15 })
  const { admin } = looked.one
  const run = (alert['runs'] as Answer[])[0]?.['run_id']
  await request(admin, 'POST', `/platformapi/runs/${run}/undo`, {})
  await until(async () => ((await request(admin, 'GET', `/platformapi/runs/${run}/undo`))['undo'] as { run: Answer }).run['ended_at'] !== null)
  // A stop sends what has not been sent yet.
  await looked.stop()
  const { spans } = collector
  expect(new Set(spans.map(({ traceId }) => traceId))).toEqual(new Set([String(alert['alert_uuid']).replaceAll('-', '')]))
  expect(tree(spans, null)).toEqual({
    'receive alert': {
      'run looked-after': {
        'step look': { 'call mfa.get_mfa_user_details': {} },
        'step active': {
          'step bypass': { 'call mfa.toggle_mfa_user_bypass': {} },
          'step suspend': { 'call mfa.suspend_mfa_user': {} },
          'step note': {},
        },
      },
      undo: { 'step undo-1': { 'call mfa.activate_mfa_user': {} } },
    },
  })
  const named = (name: string) => spans.find((span) => span.name === name)
  expect(named('run looked-after')).toMatchObject({
    kind: 1,
    status: { code: 0 },
    attributes: {
      'tocsin.alert.id': alert['alert_id'],
      'tocsin.alert.type': 'looked_after',
      'tocsin.organization': 'ACME',
      'tocsin.case.id': alert['case_id'],
      'tocsin.run.attempt': 1,
      'tocsin.run.execution': 1,
      'tocsin.run.state': 'completed',
    },
    resource: { 'service.name': 'tocsin' },
  })
  expect(named('call mfa.suspend_mfa_user')).toMatchObject({
    kind: 3,
    attributes: {
      'tocsin.skill': 'mfa.suspend_mfa_user',
      'tocsin.connection': 'mfa',
      'tocsin.step.address': 'active/suspend',
      'tocsin.call.effect': 'done',
    },
  })
  expect(spans.every(({ startTimeUnixNano, endTimeUnixNano }) => BigInt(startTimeUnixNano) <= BigInt(endTimeUnixNano))).toBe(true)
  expect(JSON.stringify(spans)).not.toMatch(/alan|canary/)
  expect(collector.requests[0]).toMatchObject({ path: '/v1/traces', headers: { authorization: 'Bearer canary-header' } })
})

test('the receipt of an alert links to the span that its sender names', async () => {
  const looked = await LookedAfter.start(toCollector())
  const { admin } = looked.one
  const [trace, span] = ['4bf92f3577b34da6a3ce929d0e0e4736', '00f067aa0ba902b7']
  const post = async (path: string, alerts: object, traceparent: string): Promise<Answer> => {
    const headers = { authorization: `Bearer ${admin.key}`, 'content-type': 'application/json', traceparent }
    const answer = await fetch(`${admin.url}${path}`, { method: 'POST', headers, body: JSON.stringify(alerts) })
    expect(answer.status).toBe(200)
    return (await answer.json()) as Answer
  }
  const alert = { organization_code: 'ACME', alert_provider: 'P', alert_content: '{}' }
  const linked = await post('/platformapi/alerts', alert, `00-${trace}-${span}-01`)
  const wrong = await post('/platformapi/alerts', alert, `00-${trace}-${span}-01, 00-${trace}-${span}-01`)
  const { results } = await post('/platformapi/alerts/batch', { alerts: [alert] }, `00-${trace}-${span}-01`)
  const raw = await post('/platformapi/alerts/raw?organization_code=ACME&alert_provider=P', {}, `00-${trace}-${span}-00`)
  await looked.stop()
  const linksOf = (of: Answer) =>
    collector.spans.find(({ traceId }) => traceId === String(of['alert_uuid']).replaceAll('-', ''))?.links.map((link) => [link.traceId, link.spanId])
  const batched = (results as { alert: Answer }[])[0]?.alert as Answer
  expect([linked, wrong, batched, raw].map(linksOf)).toEqual([[[trace, span]], [], [[trace, span]], [[trace, span]]])
})

const many = `format: 1
playbook: many
alert_type: of_test
inputs: { numbers: { type: array, from: [content.numbers], required: true } }
limits: { steps: 5000 }
steps:
  - id: each
    foreach: '{{ inputs.numbers }}'
    as: number
    max_items: 2000
    steps:
      - id: keep
        set: { last: '{{ number }}' }
  - id: broken
    script: |
      export default () => { throw new Error('canary-text') }
`

const asks = `format: 1
playbook: asks
alert_type: of_test
steps:
  - id: before
    script: |
      export default () => 'canary-output'
  - id: both
    parallel:
      branches:
        first:
          - id: ask
            approve: { title: canary-title, expires: 1h }
        second:
          - id: beside
            script: |
              export default () => 'canary-output'
  - id: after
    script: |
      export default () => 'canary-output'
`

async function startWith(playbook: string): Promise<{ readonly one: OnePlaybook; stop(): Promise<void> }> {
  collector.spans.length = 0
  const installation = newInstallation('embedded')
  const pki = join(installation.directory, 'pki')
  openPki(pki)
  const traced = { ...installation, environment: { ...installation.environment, ...toCollector() } }
  const one = await OnePlaybook.start(traced, pki, 'of_test', playbook)
  return {
    one,
    async stop() {
      await one.stop()
      await installation.remove()
    },
  }
}

test('a loop of 2,000 items leaves 500 spans, and the run says how many it left out', async () => {
  const { one, stop } = await startWith(many)
  await one.investigate({ title: 'x', numbers: Array.from({ length: 2_000 }, (_, index) => index) })
  await stop()
  expect(collector.spans).toHaveLength(502)
  const [run] = collector.spans.filter(({ name }) => name === 'run many')
  expect(run).toMatchObject({
    status: { code: 2, message: 'script_failed' },
    attributes: { 'error.type': 'script_failed', 'tocsin.spans.left_out': 1_502 },
  })
  expect(JSON.stringify(collector.spans)).not.toContain('canary')
})

test('a run that waited has a span for each execution, and no step twice', async () => {
  const { one, stop } = await startWith(asks)
  const { alert } = await one.investigate({ title: 'x' }, async () => {
    const [decision] = await until(async () => {
      const open = await openDecisions(one.admin)
      return open.length > 0 && open
    })
    await request(one.admin, 'POST', `/platformapi/decisions/${decision?.['id']}`, { verdict: 'approve' })
  })
  expect(alert).toMatchObject({ investigation_status: 15 })
  await stop()
  const [first, second] = collector.spans.filter(({ name }) => name === 'run asks')
  expect(first?.attributes).toMatchObject({ 'tocsin.run.execution': 1, 'tocsin.run.state': 'waiting' })
  expect(second?.attributes).toMatchObject({ 'tocsin.run.execution': 2, 'tocsin.run.state': 'completed' })
  const inside = (run: ReceivedSpan | undefined) => run && tree(collector.spans, run)
  expect(inside(first)).toEqual({ 'step before': {}, 'step both': { 'step ask': {}, 'step beside': {} } })
  expect(inside(second)).toEqual({ 'step both': { 'step ask': {} }, 'step after': {} })
  const asked = collector.spans.filter(({ name }) => name === 'step ask')
  expect(asked.map(({ attributes }) => attributes['tocsin.step.status'])).toEqual(['waiting', 'done'])
})

test.each([503, 0])('a collector that answers with %i delays nobody', async (status) => {
  collector.status = status
  const before = collector.requests.length
  const { one, stop } = await startWith(many)
  const { alert } = await one.investigate({ title: 'x', numbers: [1] })
  expect(alert).toMatchObject({ investigation_status: 20 })
  await stop()
  expect(collector.requests.length).toBeGreaterThan(before)
  expect(collector.spans).toEqual([])
  collector.status = 200
})

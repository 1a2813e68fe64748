import { expect, test } from 'vitest'
import { answersOf, failing, output, rehearsed, world } from './testing.ts'
import type { Asked } from './types.ts'

const details = output({ userName: 'ada', status: 'ACTIVE', bypass: 'disabled', devices: [], errorId: 200 })
const suspended = output({ errorId: 200 })
const look = `- id: look
  skill: mfa.get_mfa_user_details
  with: { username: '{{ inputs.user }}' }
`
const suspend = `- id: suspend
  skill: mfa.suspend_mfa_user
  with: { username: '{{ inputs.user }}' }
`

test('executes a run with the given answers, and returns its calls, its case and its vars', async () => {
  const steps = `${look}- id: count
  set: { status: '{{ steps.look.output.status }}', at: '{{ run.now }}' }
- id: active
  if: { '==': [{ var: vars.status }, ACTIVE] }
  then:
    - id: suspend
      skill: mfa.suspend_mfa_user
      with: { username: '{{ inputs.user }}' }
    - id: note
      case: { note: 'Suspended {{ inputs.user }}', severity: high, status: contained }
  else:
    - id: stop
      stop: { outcome: completed, reason: Not active }
`
  const run = await rehearsed(steps, answersOf({ 'mfa.get_mfa_user_details': details, 'mfa.suspend_mfa_user': suspended }))
  expect(run.outcome).toBe('completed')
  expect(run.calls).toEqual([
    {
      step: 'look',
      try: 1,
      skill: 'mfa.get_mfa_user_details',
      impact: 'read',
      connection: 'mfa',
      input: { username: 'ada@example.com', same_device_users: false },
    },
    { step: 'active/suspend', try: 1, skill: 'mfa.suspend_mfa_user', impact: 'write', connection: 'mfa', input: { username: 'ada@example.com' } },
  ])
  expect(run.vars).toEqual({ status: 'ACTIVE', at: 1_000_000 })
  expect(run.case).toMatchObject({ severity: 'high', status: 'contained', caseId: 'ORG-1' })
  expect(run.timeline.map(({ body }) => body.kind)).toEqual(['opened', 'note', 'change', 'action', 'lookups'])
  expect(run.trace.decided.get('active?')).toBe(true)
  expect([...run.trace.entered.keys()]).toEqual(['look', 'count', 'active', 'active/suspend', 'active/note'])
})

test('the same rehearsal has the same result', async () => {
  const once = (): Promise<unknown> => rehearsed(look, answersOf({ 'mfa.get_mfa_user_details': details }))
  expect(JSON.stringify(await once())).toBe(JSON.stringify(await once()))
})

test('ends at a call without an answer, and says nothing about what would follow', async () => {
  const run = await rehearsed(`${look}${suspend}`, answersOf({ 'mfa.suspend_mfa_user': suspended }))
  expect(run.outcome).toBe('unanswered')
  expect(run.unanswered.map(({ step, skill }) => [step, skill])).toEqual([['look', 'mfa.get_mfa_user_details']])
  expect(run.calls).toEqual([])
})

test('hours of waiting between tries take no real time', async () => {
  const steps = `${look}  retry: { attempts: 3, backoff: constant, delay: 1h, max_delay: 1h, on: [network] }\n`
  const run = await rehearsed(steps, answersOf({ 'mfa.get_mfa_user_details': [failing('network'), failing('network'), details] }))
  expect(run.outcome).toBe('completed')
  expect(run.calls.map((call) => call.try)).toEqual([1, 2, 3])
  // Each delay is up to a quarter shorter, so that many runs do not retry at the same time.
  expect(run.elapsed).toBeGreaterThanOrEqual(5_400_000)
})

test("a failed step fails the run with the manifest's text, unless on_error says otherwise", async () => {
  const gone = answersOf({ 'mfa.get_mfa_user_details': failing('user_not_found') })
  const run = await rehearsed(look, gone)
  expect(run).toMatchObject({ outcome: 'failed', failure: { code: 'user_not_found', step: 'look', message: expect.stringContaining('no user') } })
  const caught = await rehearsed(`${look}  on_error: continue\n`, gone)
  expect(caught.outcome).toBe('completed')
  expect([...caught.trace.failed]).toEqual([['look', 'user_not_found']])
})

test('a write without an answer is in doubt: an answered probe settles it, and without one nothing is sent again', async () => {
  const lost = { 'mfa.suspend_mfa_user': { kind: 'lost' } } as const
  const silent = await rehearsed(suspend, answersOf(lost))
  expect(silent.inDoubt).toEqual(['suspend'])
  expect(silent.calls).toHaveLength(1)
  const happened = await rehearsed(suspend, answersOf(lost, output({ status: 'SUSPENDED', errorId: 200, errorMsg: null, uniqueMsgId: null })))
  expect(happened).toMatchObject({ outcome: 'completed', inDoubt: [] })
  const repeated = await rehearsed(
    suspend,
    answersOf({ 'mfa.suspend_mfa_user': [{ kind: 'lost' }, suspended] }, output({ status: 'ACTIVE', errorId: 200 })),
  )
  expect(repeated.outcome).toBe('completed')
  expect(repeated.calls.map((call) => call.try)).toEqual([1, 2])
})

test('a write of a handler comes in doubt like a declared one', async () => {
  const mark = `- id: mark
  skill: mailsec.bulk_update_mailsec_trusted_entities
  with: { operations: [{ operation: delete, entity_id: '1' }] }
`
  const skill = (await world).plugins.get('mailsec')?.skills.get('bulk_update_mailsec_trusted_entities')
  expect([skill?.does.kind, skill?.document.idempotent?.by]).toEqual(['handler', 'none'])
  const asked: Asked[] = []
  const run = await rehearsed(mark, {
    answer: (call) => {
      asked.push(call)
      return { kind: 'lost' }
    },
    verify: () => null,
  })
  expect(run.inDoubt).toEqual(['mark'])
  expect(asked).toHaveLength(1)
})

test('a slot without a connection stays without one, even if another connection could serve', async () => {
  const above = 'connections: { one: { integration: mfa }, other: { integration: mfa, optional: true } }'
  const steps = `- id: look
  if: { '!': [{ var: connections.other.bound }] }
  skill: mfa.get_mfa_user_details
  connection: one
  with: { username: '{{ connections.one.instance }}' }
`
  const answers = (): ReturnType<typeof answersOf> => answersOf({ 'mfa.get_mfa_user_details': details })
  const without = await rehearsed(steps, answers(), { above, connections: { other: false, one: 'prod' } })
  expect(without.calls).toMatchObject([{ connection: 'one', input: { username: 'prod' } }])
  expect((await rehearsed(steps, answers(), { above })).calls).toEqual([])
  const required = await rehearsed(steps, answers(), { above, connections: { one: false } })
  expect(required).toMatchObject({ outcome: 'failed', failure: { code: 'connection_missing' } })
})

test('uses the given alert, run and case', async () => {
  const steps = `- id: say
  case: { note: '{{ alert.alert_id }} {{ alert.alert_type }} {{ alert.content.user }} {{ run.attempt }} {{ case.case_id }} {{ organization.code }}' }
`
  const run = await rehearsed(steps, answersOf({}), {
    alert: { content: '{"user":"bob"}', alertId: 'ACME-EDR-7', type: 'Tested', organizationCode: 'ACME' },
    run: { id: 'abc-r3' as never, attempt: 3 },
    caseId: 'ACME-12',
  })
  expect(run.timeline).toContainEqual(expect.objectContaining({ body: { kind: 'note', text: 'ACME-EDR-7 Tested bob 3 ACME-12 ACME' } }))
})

test('the clock stands still while a script runs', async () => {
  const steps = `- id: race
  parallel:
    join: any
    rest: cancel
    branches:
      code:
        - id: sum
          script: 'export default () => 3'
      time:
        - id: pause
          wait: { for: 1s }
- id: told
  set: { code: '{{ steps.race.output.code.status }}' }`
  const run = await rehearsed(steps, answersOf({}))
  expect([run.vars, run.elapsed]).toEqual([{ code: 'done' }, 1_000])
})

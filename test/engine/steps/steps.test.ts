import { afterEach, expect, test } from 'vitest'
import { TocsinError } from '../../../runtime/errors/index.ts'
import { Bench, done, failing, playbook } from '../support/harness.ts'

let bench: Bench
afterEach(() => bench.close())

const user = (name: string): string => `skill: directory.get_user\n  with: { user: ${name} }`

test('set makes vars, and values keep their type', async () => {
  bench = await Bench.open(
    playbook(
      `- id: facts\n  set: { list: '{{ alert.content.list }}', text: 'n={{ alert.content.list | size }}' }\n- id: each\n  foreach: '{{ vars.list }}'\n  as: item\n  max_items: 5\n  steps:\n    - id: look\n      skill: directory.get_user\n      with: { user: '{{ item }}' }\n- id: say\n  case: { note: '{{ vars.text }}' }`,
    ),
    { list: ['a', 'b'] },
  )
  await bench.live(() => done({ state: 'x' }))
  expect(bench.called).toEqual(['get_user a', 'get_user b'])
  expect((await bench.case()).timeline.map(({ body }) => body)).toEqual(expect.arrayContaining([{ kind: 'note', text: 'n=2' }]))
})

test('whatever people read is text, also if its template gives a list or an object', async () => {
  const it = '{{ alert.content.it }}'
  bench = await Bench.open(
    playbook(
      `- { id: say, case: { note: '${it}', finding: { title: '${it}', risk: low, evidence: '${it}' } } }
- { id: ask, approve: { title: '${it}', expires: 1h }, on_error: continue }
- { id: end, stop: { outcome: completed, reason: '${it}' } }`,
      `verdict: { summary: '${it}' }`,
    ),
    { it: [{ a: 1 }] },
  )
  await bench.live(() => done({}))
  const { title } = await bench.answer('approve')
  await bench.live(() => done({}))
  const { case: left, timeline } = await bench.case()
  const text = '[{"a":1}]'
  expect([title, (await bench.ended()).reason, left.summary]).toEqual([text, text, text])
  expect(timeline.map(({ body }) => body)).toEqual(
    expect.arrayContaining([
      { kind: 'note', text },
      { kind: 'finding', title: text, risk: 'low', evidence: [{ a: 1 }] },
    ]),
  )
})

test('a step whose `if` is false is skipped', async () => {
  bench = await Bench.open(playbook(`- id: a\n  if: { '==': [1, 2] }\n  ${user('ada')}\n- id: b\n  ${user('bob')}`))
  await bench.live(() => done({ state: 'x' }))
  expect(bench.called).toEqual(['get_user bob'])
})

test('a loop with too many items executes none', async () => {
  bench = await Bench.open(
    playbook(
      `- id: each\n  foreach: '{{ alert.content.list }}'\n  as: item\n  max_items: 2\n  steps:\n    - id: a\n      ${user('ada').replace('\n  ', '\n      ')}`,
    ),
    { list: [1, 2, 3] },
  )
  await bench.live(() => done({ state: 'x' }))
  expect(bench.called).toEqual([])
  expect(await bench.ended()).toMatchObject({ failure: { code: 'loop_too_long', step: 'each' } })
})

test('a concurrent loop executes as many items at once as it says, and keeps their order', async () => {
  bench = await Bench.open(
    playbook(
      `- id: each\n  foreach: '{{ alert.content.list }}'\n  as: item\n  max_items: 9\n  concurrency: 3\n  steps:\n    - id: look\n      skill: directory.get_user\n      with: { user: '{{ item }}' }\n- id: say\n  case: { finding: { title: all, risk: low, evidence: '{{ steps.each.output.items }}' } }`,
    ),
    { list: ['a', 'b', 'c', 'd', 'e'] },
  )
  let now = 0
  let most = 0
  await bench.live(async ({ input }) => {
    most = Math.max(most, ++now)
    await new Promise((resolve) => setImmediate(resolve))
    now -= 1
    return done({ state: (input as { user: string }).user })
  })
  expect(most).toBe(3)
  const finding = (await bench.case()).timeline.find(({ body }) => body.kind === 'finding')
  expect(JSON.stringify(finding)).toMatch(/"a".*"b".*"c".*"d".*"e"/)
})

test('on_error may be a list of steps, after which the run continues', async () => {
  bench = await Bench.open(
    playbook(
      `- id: a\n  ${user('ada')}\n  on_error:\n    - id: instead\n      ${user('bob').replace('\n  ', '\n      ')}\n- id: b\n  ${user('eve')}`,
    ),
  )
  await bench.live((_call, number) => (number === 1 ? failing('refused', 'credentials_rejected') : done({ state: 'x' })))
  expect(bench.called).toEqual(['get_user ada', 'get_user bob', 'get_user eve'])
  expect(await bench.ended()).toMatchObject({ state: 'completed' })
})

test('stop ends the run with its outcome and reason', async () => {
  bench = await Bench.open(
    playbook(`- id: halt\n  stop: { outcome: completed, reason: 'Nothing for {{ alert.alert_id }}' }\n- id: never\n  ${user('ada')}`),
  )
  await bench.live(() => done({ state: 'x' }))
  expect(bench.called).toEqual([])
  expect(await bench.ended()).toMatchObject({ state: 'completed', reason: 'Nothing for ACME-EDR-1', failure: null })
})

test('a read is retried by its rule, with waits in between', async () => {
  bench = await Bench.open(playbook(`- id: a\n  ${user('ada')}\n  retry: { attempts: 3, backoff: exponential, delay: 1s, on: [network] }`))
  await bench.live((_call, number) => (number < 3 ? failing('unknown') : done({ state: 'x' })))
  expect(bench.called).toHaveLength(3)
  expect(bench.clock.slept).toHaveLength(2)
  expect(bench.clock.slept[1]).toBeGreaterThan(bench.clock.slept[0] ?? 0)
})

test('limits of steps and of time end the run, and no on_error catches them', async () => {
  bench = await Bench.open(
    playbook(
      `- id: each\n  foreach: '{{ alert.content.list }}'\n  as: item\n  max_items: 9\n  on_error: continue\n  steps:\n    - id: a\n      ${user('ada').replace('\n  ', '\n      ')}`,
      'limits: { steps: 3 }',
    ),
    { list: [1, 2, 3, 4] },
  )
  await bench.live(() => done({ state: 'x' }))
  expect(bench.called).toHaveLength(2)
  expect(await bench.ended()).toMatchObject({ failure: { code: 'steps_exceeded' } })
  await bench.close()

  bench = await Bench.open(playbook(`- id: a\n  ${user('ada')}\n- id: b\n  ${user('bob')}`, 'limits: { time: 10s }'))
  await bench.live(() => {
    bench.clock.advance(11_000)
    return done({ state: 'x' })
  })
  expect(bench.called).toEqual(['get_user ada'])
  const message = 'More than 10s, which is limits.time. Only waits for people and pauses do not count.'
  expect(await bench.ended()).toMatchObject({ failure: { code: 'run_timeout', step: 'b', message } })
})

test('an output over the limit fails the step', async () => {
  bench = await Bench.open(playbook(`- id: a\n  ${user('ada')}`, 'limits: { output: 1KiB }'))
  await bench.live(() => done({ state: 'x'.repeat(2_000) }))
  expect(await bench.ended()).toMatchObject({ failure: { code: 'output_too_large' } })
})

test('the case of a failed run says what failed, and what was read', async () => {
  bench = await Bench.open(playbook(`- id: a\n  ${user('ada')}\n- id: b\n  ${user('bob')}`))
  await bench.live((_call, number) => (number === 1 ? done({ state: 'x' }) : failing('refused', 'credentials_rejected')))
  const bodies = (await bench.case()).timeline.map(({ body }) => body)
  expect(bodies).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ kind: 'failure', code: 'credentials_rejected', text: expect.stringMatching(/^b: /) }),
      { kind: 'lookups', calls: [{ skill: 'directory.get_user', connection: 'dir-prod', times: 2, failed: 1 }] },
    ]),
  )
})

test('a verdict becomes the summary of the case', async () => {
  bench = await Bench.open(playbook(`- id: a\n  ${user('ada')}`, "verdict: { summary: 'User is {{ steps.a.output.state }}' }"))
  await bench.live(() => done({ state: 'active' }))
  expect((await bench.case()).case).toMatchObject({ summary: 'User is active' })
})

test('a case step changes the case, and the change is on the timeline', async () => {
  bench = await Bench.open(playbook('- id: close\n  case: { severity: critical, disposition: malicious, status: contained }'))
  await bench.live(() => done({}))
  const { case: found, timeline } = await bench.case()
  expect(found).toMatchObject({ severity: 'critical', disposition: 'malicious', status: 'contained' })
  expect(timeline.map(({ body }) => body.kind)).toContain('change')
})

test('a defect fails the run at once, and the case says so', async () => {
  bench = await Bench.open(playbook(`- id: a\n  ${user('ada')}\n  on_error: continue`))
  await bench.live(() => {
    throw new TypeError('a defect of ours')
  })
  expect(await bench.ended()).toMatchObject({ state: 'failed', failure: { code: 'investigation_failed' } })
})

test('a store that does not answer ends nothing: the run continues with the next claim', async () => {
  bench = await Bench.open(playbook(`- id: a\n  ${user('ada')}`))
  await expect(
    bench.live(() => {
      throw new TocsinError('store_unavailable', 'gone')
    }),
  ).rejects.toThrow('gone')
  expect(await bench.ended()).toMatchObject({ state: 'running' })
  await bench.live(() => done({ state: 'x' }))
  expect(await bench.ended()).toMatchObject({ state: 'completed', epoch: 2 })
})

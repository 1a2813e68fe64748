import { afterEach, describe, expect, test } from 'vitest'
import { asId, type PrincipalId, type RunId, systemScope, type TimelineBody } from '../../../runtime/domain/index.ts'
import { Bench, done, playbook } from '../support/harness.ts'

let bench: Bench
afterEach(() => bench.close())

const asked = (parts = '', before = '', user = 'ada'): string =>
  playbook(`
${before}- id: ask
  approve: { title: 'Page ${user}?', covers: act${parts} }
- id: act
  skill: directory.page_user
  with: { user: '${user}' }
- id: say
  case: { note: '{{ steps.ask.output.approved }} by {{ steps.ask.output.by | join: " and " }}: {{ steps.ask.output.reason | default: "" }}' }
`)

async function decisionLines(): Promise<TimelineBody[]> {
  return (await bench.case()).timeline.map(({ body }) => body).filter(({ kind }) => kind === 'decision')
}

test('an approval shows what will be sent, and the run sleeps until somebody has answered', async () => {
  bench = await Bench.open(asked(', expires: 4h'))
  const at = bench.clock.now()
  expect(await bench.live(() => done({}))).toBe(false)
  expect(bench.called).toEqual([])
  const [decision, ...others] = await bench.decisions()
  expect(others).toEqual([])
  expect(decision).toMatchObject({
    kind: 'approval',
    state: 'open',
    run: bench.run,
    step: 'ask',
    title: 'Page ada?',
    playbook: { name: 'test' },
    actions: [
      {
        step: 'act',
        skill: 'directory.page_user',
        connection: { id: 'c', revision: 1, instance: 'dir-prod' },
        target: 'ada',
        input: { user: 'ada' },
      },
    ],
    askedAt: at,
    expiresAt: at + 4 * 3_600_000,
  })
  expect(await bench.ended()).toMatchObject({ state: 'waiting', wakeAt: at + 4 * 3_600_000 })

  bench.clock.advance(60_000)
  await bench.answer('approve', 'bob', { reason: 'She asked for it' })
  expect(bench.jobs).toMatchObject([{ run: bench.run, attempt: 1, type: 'test' }])
  expect(await bench.live(() => done({}))).toBe(true)
  expect(bench.called).toEqual(['page_user ada'])
  const { timeline } = await bench.case()
  expect(timeline).toContainEqual(expect.objectContaining({ body: { kind: 'note', text: 'true by bob: She asked for it' } }))
  expect(timeline.find(({ body }) => body.kind === 'decision' && body.state === 'approved')).toMatchObject({
    at: at + 60_000,
    actor: { principal: 'bob' },
    body: { title: 'Page ada?', by: ['bob'], text: 'She asked for it' },
  })
  expect(await decisionLines()).toHaveLength(2)
})

test('a declined approval fails the step, and an on_error can handle that', async () => {
  bench = await Bench.open(asked())
  await bench.live(() => done({}))
  await bench.answer('decline', 'bob', { reason: 'Not her' })
  expect(await bench.live(() => done({}))).toBe(true)
  expect(bench.called).toEqual([])
  expect(await bench.ended()).toMatchObject({
    state: 'failed',
    failure: { code: 'approval_declined', step: 'ask', message: 'bob declined: Not her' },
  })
  await bench.close()

  const handled = `- id: ask\n  approve: { title: x, covers: act }\n  on_error:\n    - id: other\n      case: { note: 'no: {{ steps.ask.error.code }}' }\n`
  bench = await Bench.open(playbook(`${handled}- id: act\n  skill: directory.page_user\n  with: { user: ada }\n  on_error: continue\n`))
  await bench.live(() => done({}))
  await bench.answer('decline')
  expect(await bench.live(() => done({}))).toBe(true)
  expect((await bench.case()).timeline).toContainEqual(expect.objectContaining({ body: { kind: 'note', text: 'no: approval_declined' } }))
  // A step that an approval covers does not run without it, whatever happened to the question.
  expect(bench.called).toEqual([])
})

test('an approval that nobody gave in time expires and takes no more answers', async () => {
  bench = await Bench.open(asked(', expires: 1h'))
  await bench.live(() => done({}))
  bench.clock.advance(3_600_000)
  await expect(bench.answer('approve')).rejects.toMatchObject({ code: 'decision_expired' })
  expect(await bench.live(() => done({}))).toBe(true)
  expect(await bench.ended()).toMatchObject({ state: 'failed', failure: { code: 'approval_expired' } })
  expect(await bench.decisions()).toMatchObject([{ state: 'expired' }])
  expect(await decisionLines()).toMatchObject([{ state: 'open' }, { state: 'expired', by: [] }])
  expect(await bench.store.decisions.untold(systemScope, 9)).toEqual([])
})

test('several approvers must be different people', async () => {
  bench = await Bench.open(asked(', approvers: 2'))
  await bench.live(() => done({}))
  await bench.answer('approve', 'bob')
  await expect(bench.answer('approve', 'bob')).rejects.toMatchObject({ code: 'decision_answered' })
  expect(bench.jobs).toEqual([])
  expect((await bench.ended()).wakeAt).toBeNull()
  await bench.answer('approve', 'eve')
  expect(await bench.live(() => done({}))).toBe(true)
  expect((await bench.case()).timeline).toContainEqual(expect.objectContaining({ body: { kind: 'note', text: 'true by bob and eve: ' } }))
  expect(await decisionLines()).toMatchObject([
    { state: 'open', by: [] },
    { state: 'open', by: ['bob'] },
    { state: 'approved', by: ['bob', 'eve'] },
  ])
})

test('only named people may answer', async () => {
  bench = await Bench.open(asked(', by: [eve]'))
  await bench.live(() => done({}))
  await expect(bench.answer('approve', 'bob')).rejects.toMatchObject({ code: 'decision_not_yours' })
  await bench.answer('approve', 'eve')
  expect(await bench.live(() => done({}))).toBe(true)
})

test('a decision is answered once', async () => {
  bench = await Bench.open(asked())
  await bench.live(() => done({}))
  const [decision] = await bench.decisions()
  const answers = ['ada', 'bob', 'eve'].map((name) => bench.answer('approve', name).catch((error: { code: string }) => error.code))
  const results = await Promise.all(answers)
  expect(results.filter((result) => result === 'decision_closed')).toHaveLength(2)
  const principal = {
    id: asId<PrincipalId>('x'),
    name: 'x',
    permissions: ['admin'] as const,
    organizations: [] as const,
    createdAt: 0,
    createdBy: null,
  }
  const again = bench.desk.answer(principal, decision!.id, { verdict: 'approve', reason: null, output: null })
  await expect(again).rejects.toMatchObject({ code: 'decision_unknown' })
})

test('an answer that arrives before the run sleeps wakes it at once', async () => {
  bench = await Bench.open(
    playbook(`
- id: each
  foreach: [1, 2]
  concurrency: 2
  steps:
    - id: first
      if: { '==': [{ var: item }, 1] }
      then:
        - id: ask
          approve: { title: Go on? }
      else:
        - id: look
          skill: directory.get_user
          with: { user: ada }
`),
  )
  await bench.live(async () => {
    while ((await bench.decisions()).length === 0);
    await bench.answer('approve')
    return done({ state: 'x' })
  })
  const run = await bench.ended()
  expect(run).toMatchObject({ state: 'waiting', wakeAt: bench.clock.now() })
  expect(await bench.live(() => done({}))).toBe(true)
})

describe('what was approved', () => {
  test('is exactly what is sent: a call with another input is not sent', async () => {
    const changing = asked('', '- id: count\n  set: { user: ada }\n', '{{ case.severity | default: "ada" }}').replace(
      '- id: act',
      '- id: raise\n    case: { severity: high }\n  - id: act',
    )
    bench = await Bench.open(changing)
    await bench.live(() => done({}))
    await bench.answer('approve')
    expect(await bench.live(() => done({}))).toBe(true)
    expect(bench.called).toEqual([])
    expect(await bench.ended()).toMatchObject({ state: 'failed', failure: { code: 'approval_stale', step: 'act' } })
  })

  test('is asked about again in each iteration', async () => {
    bench = await Bench.open(
      playbook(`
- id: each
  foreach: [ada, bob]
  steps:
    - { id: ask, approve: { title: 'Page {{ item }}?', covers: act } }
    - { id: act, skill: directory.page_user, with: { user: '{{ item }}' } }
`),
    )
    await bench.live(() => done({}))
    await bench.answer('approve')
    bench.clock.advance(1)
    await bench.live(() => done({}))
    expect(bench.called).toEqual(['page_user ada'])
    await bench.answer('approve')
    expect(await bench.live(() => done({}))).toBe(true)
    expect(bench.called).toEqual(['page_user ada', 'page_user bob'])
    expect((await bench.decisions()).map(({ title, step }) => [title, step])).toEqual([
      ['Page ada?', 'each/0/ask'],
      ['Page bob?', 'each/1/ask'],
    ])
  })

  test('a step whose approval was skipped does not run', async () => {
    bench = await Bench.open(asked('', '').replace('- id: ask\n', '- id: ask\n    if: { "==": [1, 2] }\n'))
    expect(await bench.live(() => done({}))).toBe(true)
    expect(bench.called).toEqual([])
    expect(await bench.ended()).toMatchObject({ state: 'failed', failure: { code: 'approval_missing', step: 'act' } })
  })
})

test('a decision whose run has ended is withdrawn when somebody answers it', async () => {
  bench = await Bench.open(asked())
  await bench.live(() => done({}))
  const [decision] = await bench.decisions()
  const left = await bench.store.decisions.open(systemScope, { ...decision!, id: asId('left'), run: asId<RunId>('gone-r1') })
  const principal = {
    id: asId<PrincipalId>('x'),
    name: 'x',
    permissions: ['admin'] as const,
    organizations: 'all' as const,
    createdAt: 0,
    createdBy: null,
  }
  const late = bench.desk.answer(principal, left.id, { verdict: 'approve', reason: null, output: null })
  await expect(late).rejects.toMatchObject({ code: 'decision_closed', message: expect.stringContaining('withdrawn: its run no longer needed it') })
  expect(await bench.store.decisions.get(systemScope, left.id)).toMatchObject({ state: 'withdrawn' })
})

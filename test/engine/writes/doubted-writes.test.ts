import { afterEach, describe, expect, test } from 'vitest'
import { Bench, Crash, done, failing, playbook } from '../support/harness.ts'
import { write } from '../support/one-write.ts'

let bench: Bench
afterEach(() => bench.close())

test('after a crash people are asked about a write that can be neither repeated nor probed, and it is not sent again', async () => {
  bench = await Bench.open(write('page_user'))
  expect(
    await bench.live(() => {
      throw new Crash()
    }),
  ).toBe(false)
  expect(await bench.live(() => done({}))).toBe(false)
  expect(bench.called).toEqual(['page_user ada'])
  expect(await bench.giveUp()).toMatchObject({
    kind: 'in_doubt',
    step: 'act',
    title: expect.stringContaining('Did directory.page_user on ada happen?'),
    actions: [{ skill: 'directory.page_user', target: 'ada', input: { user: 'ada' }, connection: { instance: 'dir-prod' } }],
    expiresAt: null,
  })
  expect(await bench.ended()).toMatchObject({
    state: 'failed',
    failure: { code: 'write_in_doubt', step: 'act', message: expect.stringContaining('directory.page_user on ada') },
  })
  expect((await bench.case()).timeline).toEqual(
    expect.arrayContaining([
      expect.objectContaining({
        body: { kind: 'action', skill: 'directory.page_user', connection: 'dir-prod', outcome: 'write_in_doubt', target: 'ada', effect: 'unknown' },
      }),
    ]),
  )
})

test.each(['unknown'] as const)('an answer that never came leaves such a write in doubt at once', async (effect) => {
  bench = await Bench.open(write('page_user'))
  await bench.live(() => failing(effect, 'call_timeout'))
  expect(bench.called).toEqual(['page_user ada'])
  await bench.giveUp()
  expect(await bench.ended()).toMatchObject({ failure: { code: 'write_in_doubt' } })
})

test('a write that was given up fails the step, and on_error can handle it', async () => {
  bench = await Bench.open(write('page_user', "  on_error: continue\n- id: say\n  case: { note: 'was {{ steps.act.error.code }}' }"))
  await bench.live(() => failing('unknown', 'network'))
  expect(await bench.ended()).toMatchObject({ state: 'waiting', wakeAt: null })
  await bench.giveUp()
  expect(await bench.ended()).toMatchObject({ state: 'completed' })
  expect((await bench.case()).timeline).toEqual(
    expect.arrayContaining([expect.objectContaining({ body: { kind: 'note', text: 'was write_in_doubt' } })]),
  )
})

test('a refused repeat says nothing about the earlier try, so people are asked', async () => {
  bench = await Bench.open(write('suspend_user'))
  await bench.live((_call, number) => (number === 1 ? failing('unknown', 'call_timeout') : failing('refused', 'rate_limited')))
  expect(bench.called.length).toBeGreaterThan(1)
  expect(await bench.ended()).toMatchObject({ state: 'waiting' })
  expect(await bench.decisions()).toMatchObject([{ kind: 'in_doubt', state: 'open' }])
  // However often the repeat was refused, one try is in doubt.
  expect(bench.log.filter(({ msg }) => msg === 'a write is in doubt')).toMatchObject([{ try: 1, code: 'call_timeout' }])
  const calls = bench.called.length
  await bench.answer('happened')
  await bench.live(() => Promise.reject(new Error('nothing is to be called any more')))
  expect(bench.called).toHaveLength(calls)
  expect(await bench.ended()).toMatchObject({ state: 'completed' })
})

describe('the answer of a person about a write in doubt', () => {
  const noted = write('page_user', '- id: say\n  case: { note: \'is {{ steps.act.output.state | default: "unknown" }}\' }')
  const notes = async (): Promise<unknown[]> => (await bench.case()).timeline.flatMap(({ body }) => (body.kind === 'note' ? [body.text] : []))

  test.each([
    [{ state: 'paged' }, 'is paged'],
    [null, 'is unknown'],
    [{ state: 7 }, 'is unknown'],
  ])('that it happened (%j): the run goes on, and nothing is sent again', async (output, note) => {
    bench = await Bench.open(noted)
    await bench.live(() => failing('unknown'))
    await bench.answer('happened', 'ada', { output, reason: 'Seen in the console' })
    expect(await bench.live(() => done({}))).toBe(true)
    expect(bench.called).toEqual(['page_user ada'])
    expect(await notes()).toEqual([note])
    const { timeline } = await bench.case()
    expect(timeline).toContainEqual(expect.objectContaining({ body: expect.objectContaining({ kind: 'action', outcome: 'done' }) }))
    expect(timeline.filter(({ body }) => body.kind === 'decision').map(({ body }) => body)).toMatchObject([
      { state: 'open' },
      { state: 'settled', by: ['ada'], text: 'Seen in the console' },
    ])
  })

  test('to send it again: it is sent once, and people are asked again if that try is also in doubt', async () => {
    bench = await Bench.open(noted)
    await bench.live(() => failing('unknown'))
    await bench.answer('repeat')
    expect(await bench.live(() => failing('unknown'))).toBe(false)
    expect(bench.called).toEqual(['page_user ada', 'page_user ada'])
    expect((await bench.decisions()).map(({ state }) => state).sort()).toEqual(['open', 'settled'])
    await bench.answer('repeat')
    expect(await bench.live(() => done({ state: 'paged' }))).toBe(true)
    expect(bench.called).toHaveLength(3)
    expect(await notes()).toEqual(['is paged'])
  })

  test('takes effect even if the process died after it read the answer', async () => {
    bench = await Bench.open(
      playbook('- id: act\n  skill: directory.page_user\n  with: { user: ada }\n- id: next\n  skill: directory.suspend_user\n  with: { user: bob }'),
    )
    await bench.live(() => failing('unknown'))
    await bench.answer('happened')
    await bench.live(() => {
      throw new Crash()
    })
    expect(await bench.live(() => done({}))).toBe(true)
    expect(bench.called).toEqual(['page_user ada', 'suspend_user bob', 'suspend_user bob'])
    expect(await bench.decisions()).toHaveLength(1)
  })

  test('is waited for while concurrent steps continue', async () => {
    const text = playbook(`
- id: each
  foreach: [ada, bob]
  as: user
  concurrency: 2
  steps:
    - { id: act, skill: directory.page_user, with: { user: '{{ user }}' } }
    - { id: then, skill: directory.suspend_user, with: { user: '{{ user }}' } }
`)
    bench = await Bench.open(text)
    await bench.live(({ skill, input }) => (skill.id === 'page_user' && (input as { user: string }).user === 'ada' ? failing('unknown') : done({})))
    expect(bench.called.sort()).toEqual(['page_user ada', 'page_user bob', 'suspend_user bob'])
    await bench.answer('happened')
    expect(await bench.live(() => done({}))).toBe(true)
    expect(bench.called.at(-1)).toBe('suspend_user ada')
  })

  test('does not count towards the time limit while it is waited for', async () => {
    bench = await Bench.open(
      playbook('- id: act\n  skill: directory.page_user\n  with: { user: ada }\n- id: say\n  case: { note: on }', 'limits: { time: 5m }'),
    )
    await bench.live(() => failing('unknown'))
    bench.clock.advance(3_600_000)
    await bench.answer('happened')
    await bench.live(() => done({}))
    expect(await bench.ended()).toMatchObject({ state: 'completed' })
  })
})

test('people are not asked while what was sent may still be on its way', async () => {
  bench = await Bench.open(write('page_user'))
  const began = bench.clock.now()
  await bench.live(() => failing('unknown', 'network'))
  const [asked] = await bench.decisions()
  expect((asked?.askedAt ?? 0) - began).toBeGreaterThanOrEqual(5_000)
})

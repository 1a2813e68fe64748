import { afterEach, expect, test } from 'vitest'
import { Bench, Crash, done, failing, playbook } from './harness.ts'

let bench: Bench
afterEach(() => bench.close())

const write = (skill: string, rest = ''): string => playbook(`- id: act\n  skill: directory.${skill}\n  with: { user: ada }\n${rest}`)

test('a write is called once, its intent durable before it leaves', async () => {
  bench = await Bench.open(write('page_user'))
  await bench.live(async () => {
    expect((await bench.records()).map(({ kind }) => kind)).toEqual(['claimed', 'intent'])
    return done({ state: 'paged' })
  })
  expect(bench.called).toEqual(['page_user ada'])
  expect(await bench.ended()).toMatchObject({ state: 'completed' })
})

test('the same step has the same call key in every life, and another step another', async () => {
  bench = await Bench.open(
    playbook('- id: a\n  skill: directory.suspend_user\n  with: { user: ada }\n- id: b\n  skill: directory.suspend_user\n  with: { user: ada }'),
  )
  await bench.live((_call, number) => {
    if (number === 1) throw new Crash()
    return done({})
  })
  await bench.live(() => done({}))
  const [first, again, other] = bench.calls.map(({ key }) => key)
  expect(again).toBe(first)
  expect(other).not.toBe(first)
})

test('a write that may not be repeated and cannot be asked about is put before a person after a crash, and not sent again', async () => {
  bench = await Bench.open(write('page_user'))
  expect(
    await bench.live(() => {
      throw new Crash()
    }),
  ).toBe(false)
  await bench.live(() => done({}))
  expect(bench.called).toEqual(['page_user ada'])
  expect(await bench.ended()).toMatchObject({
    state: 'failed',
    failure: { code: 'write_in_doubt', step: 'act', message: expect.stringContaining('directory.page_user on ada') },
  })
  expect((await bench.case()).timeline).toEqual(
    expect.arrayContaining([
      expect.objectContaining({
        body: { kind: 'action', skill: 'directory.page_user', connection: 'dir-prod', outcome: 'write_in_doubt', target: 'ada' },
      }),
    ]),
  )
})

test.each(['unknown'] as const)('an answer that never came leaves such a write in doubt at once', async (effect) => {
  bench = await Bench.open(write('page_user'))
  await bench.live(() => failing(effect, 'call_timeout'))
  expect(bench.called).toEqual(['page_user ada'])
  expect(await bench.ended()).toMatchObject({ failure: { code: 'write_in_doubt' } })
})

test('in doubt is not forgiven by on_error: the step fails, and what follows sees it', async () => {
  bench = await Bench.open(write('page_user', "  on_error: continue\n- id: say\n  case: { note: 'was {{ steps.act.error.code }}' }"))
  await bench.live(() => failing('unknown', 'network'))
  expect(await bench.ended()).toMatchObject({ state: 'completed' })
  expect((await bench.case()).timeline).toEqual(
    expect.arrayContaining([expect.objectContaining({ body: { kind: 'note', text: 'was write_in_doubt' } })]),
  )
})

test('a write that is safe to repeat is repeated after a crash', async () => {
  bench = await Bench.open(write('suspend_user'))
  await bench.live(() => {
    throw new Crash()
  })
  await bench.live(() => done({ state: 'suspended' }))
  expect(bench.called).toEqual(['suspend_user ada', 'suspend_user ada'])
  expect(await bench.ended()).toMatchObject({ state: 'completed' })
})

test('but not when more time has passed than its skill allows', async () => {
  bench = await Bench.open(write('suspend_user'))
  await bench.live(() => {
    throw new Crash()
  })
  bench.clock.advance(10 * 60_000 + 1)
  await bench.live(() => done({}))
  expect(bench.called).toEqual(['suspend_user ada'])
  expect(await bench.ended()).toMatchObject({ failure: { code: 'write_in_doubt' } })
})

test('a write with a probe is asked about, once it can no longer be on its way; if it happened it is not repeated', async () => {
  bench = await Bench.open(write('unpair_user'))
  await bench.live(() => {
    throw new Crash()
  })
  const crashed = bench.clock.now()
  await bench.live(({ skill }) => {
    expect(skill.id).toBe('get_user')
    expect(bench.clock.now()).toBeGreaterThan(crashed + 30_000)
    return done({ state: 'unpaired' })
  })
  expect(bench.called).toEqual(['unpair_user ada', 'get_user ada'])
  expect(await bench.ended()).toMatchObject({ state: 'completed' })
})

test('what the probe was answered is the output of a write that it finds to have happened', async () => {
  bench = await Bench.open(write('unpair_user', "- id: say\n  case: { note: 'is {{ steps.act.output.state }}' }"))
  await bench.live(({ skill }) => (skill.id === 'get_user' ? done({ state: 'unpaired' }) : failing('unknown')))
  expect(await bench.ended()).toMatchObject({ state: 'completed' })
  expect((await bench.case()).timeline).toEqual(expect.arrayContaining([expect.objectContaining({ body: { kind: 'note', text: 'is unpaired' } })]))
})

test('if the probe finds that it did not happen, it is sent again', async () => {
  bench = await Bench.open(write('unpair_user'))
  await bench.live(() => {
    throw new Crash()
  })
  await bench.live(({ skill }) => (skill.id === 'get_user' ? done({ state: 'paired' }) : done({})))
  expect(bench.called).toEqual(['unpair_user ada', 'get_user ada', 'unpair_user ada'])
  expect(await bench.ended()).toMatchObject({ state: 'completed' })
})

test('if the probe does not answer, the write stays in doubt', async () => {
  bench = await Bench.open(write('unpair_user'))
  await bench.live(() => {
    throw new Crash()
  })
  await bench.live(() => failing('not_sent'))
  expect(bench.called.filter((call) => call.startsWith('unpair'))).toHaveLength(1)
  expect(await bench.ended()).toMatchObject({ failure: { code: 'write_in_doubt' } })
})

test.each(['not_sent', 'refused'] as const)('a write that is known to have changed nothing (%s) is tried again as its rule says', async (effect) => {
  bench = await Bench.open(write('page_user'))
  await bench.live((_call, number) => (number < 3 ? failing(effect, 'rate_limited') : done({})))
  expect(bench.called).toHaveLength(3)
  expect(await bench.ended()).toMatchObject({ state: 'completed' })
})

test('a write that was refused for good fails with the reason, not in doubt', async () => {
  bench = await Bench.open(write('page_user'))
  await bench.live(() => failing('refused', 'permission_missing'))
  expect(bench.called).toHaveLength(1)
  expect(await bench.ended()).toMatchObject({ failure: { code: 'permission_missing', step: 'act' } })
})

test('a crash after the answer was recorded repeats nothing', async () => {
  bench = await Bench.open(
    playbook('- id: act\n  skill: directory.page_user\n  with: { user: ada }\n- id: next\n  skill: directory.page_user\n  with: { user: bob }'),
  )
  await bench.live((_call, number) => {
    if (number === 2) throw new Crash()
    return done({})
  })
  await bench.live(() => done({}))
  expect(bench.called).toEqual(['page_user ada', 'page_user bob'])
  expect(await bench.ended()).toMatchObject({ failure: { code: 'write_in_doubt', step: 'next' } })
})

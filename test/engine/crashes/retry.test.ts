import { afterEach, expect, test } from 'vitest'
import { Bench, done, failing, playbook } from '../support/harness.ts'

let bench: Bench
afterEach(() => bench.close())

const minute = 60_000
const look = '- id: look\n  skill: directory.get_user\n  with: { user: ada }\n'
const act = (rest = ''): string => `- id: act\n  skill: directory.page_user\n  with: { user: ada }\n${rest}`

async function open(steps: string): Promise<void> {
  bench = await Bench.open(playbook(steps))
  bench.retryDelays = [minute, 5 * minute]
}

async function said(): Promise<unknown[]> {
  return (await bench.case()).timeline.flatMap(({ body }) => (body.kind === 'retry' ? [body] : []))
}

test('an attempt that failed because of an infrastructure fault is followed by another', async () => {
  await open(look)
  await bench.live(() => failing('not_sent', 'vendor_unavailable'))
  const due = bench.clock.now() + minute
  expect(await bench.ended()).toMatchObject({ state: 'failed', failure: { code: 'vendor_unavailable' }, retryAt: due })
  expect(await said()).toEqual([{ kind: 'retry', due, text: 'Automatic retry 1 of 2 follows.' }])
})

test('as often as there are delays, then no more', async () => {
  await open(look)
  const delays: (number | null)[] = []
  for (;;) {
    await bench.live(() => failing('not_sent', 'vendor_unavailable'))
    const { retryAt } = await bench.ended()
    delays.push(retryAt && retryAt - bench.clock.now())
    if (retryAt === null) break
    bench.clock.advance(retryAt - bench.clock.now())
    expect(await bench.retryDue()).toBe(1)
  }
  expect(delays).toEqual([minute, 5 * minute, null])
  expect((await said()).at(-1)).toMatchObject({ due: null, text: 'No automatic retry: 2 retries have failed.' })
})

test('and as often again after somebody asked for an attempt, even before the next was due', async () => {
  await open(look)
  await bench.live(() => failing('not_sent', 'vendor_unavailable'))
  bench.clock.advance(minute)
  await bench.retryDue()
  await bench.live(() => failing('not_sent', 'vendor_unavailable'))
  await bench.retry()
  await bench.live(() => failing('not_sent', 'vendor_unavailable'))
  expect((await bench.ended()).retryAt).toBe(bench.clock.now() + minute)
  expect((await said()).at(-1)).toMatchObject({ text: 'Automatic retry 1 of 2 follows.' })
})

test('a failed join counts if all its failed branches do', async () => {
  const branch = (id: string): string => `[{ id: ${id}, skill: directory.get_user, with: { user: ${id} } }]`
  await open(`- id: both\n  parallel: { join: any, branches: { a: ${branch('x')}, b: ${branch('y')} } }\n`)
  await bench.live(() => failing('not_sent', 'vendor_unavailable'))
  expect(await bench.ended()).toMatchObject({ failure: { code: 'branches_failed' }, retryAt: expect.any(Number) })
})

test.each([
  [
    'the playbook is at fault',
    '- id: no\n  foreach: "{{ alert.content.none }}"\n  as: x\n  max_items: 1\n  steps: [{ id: y, set: { a: 1 } }]\n',
    'network',
  ],
  ['the external system refused', look, 'request_rejected'],
  ['it asked for other credentials', look, 'credentials_rejected'],
  ['the playbook stopped', '- id: end\n  stop: { outcome: failed, reason: no }\n', 'network'],
])('not if %s', async (_, steps, code) => {
  await open(steps)
  await bench.live(() => failing('refused', code))
  expect(await bench.ended()).toMatchObject({ state: 'failed', retryAt: null })
  expect(await said()).toEqual([])
})

test('not if it has sent a write, and the case says so', async () => {
  await open(`${act()}${look}`)
  await bench.live(({ skill }) => (skill.id === 'page_user' ? done({ state: 'x' }) : failing('not_sent', 'vendor_unavailable')))
  expect(await bench.ended()).toMatchObject({ failure: { code: 'vendor_unavailable' }, retryAt: null })
  expect(await said()).toEqual([
    { kind: 'retry', due: null, text: 'No automatic retry: act may have changed something, and a retry would do it again.' },
  ])
})

test('not if an earlier execution has sent one', async () => {
  await open(`${act()}- id: cool\n  wait: { for: 10m }\n${look}`)
  await bench.live(() => done({ state: 'x' }))
  bench.clock.advance(10 * minute)
  await bench.live(() => failing('not_sent', 'vendor_unavailable'))
  expect(await bench.ended()).toMatchObject({ failure: { code: 'vendor_unavailable' }, retryAt: null })
})

test('also if a write did not leave, or was refused', async () => {
  await open(`${act('  on_error: continue\n')}${look}`)
  await bench.live(({ skill }, number) =>
    skill.id === 'page_user' && number === 1 ? failing('refused', 'request_rejected') : failing('not_sent', 'network'),
  )
  expect(await bench.ended()).toMatchObject({ failure: { code: 'network' }, retryAt: expect.any(Number) })
})

test('not if it was cancelled, even if its step failed that way', async () => {
  await open(look)
  await bench.live(async () => {
    await bench.cancel()
    return failing('not_sent', 'vendor_unavailable')
  })
  expect(await bench.ended()).toMatchObject({ failure: { code: 'run_cancelled' }, retryAt: null })
  expect(await said()).toEqual([])
})

test('not if the installation has no retries', async () => {
  await open(look)
  bench.retryDelays = []
  await bench.live(() => failing('not_sent', 'vendor_unavailable'))
  expect(await bench.ended()).toMatchObject({ retryAt: null })
  expect(await said()).toEqual([])
})

import { afterEach, expect, test } from 'vitest'
import { type Answer, Bench, Crash, done, failing, playbook } from '../support/harness.ts'

let bench: Bench
afterEach(() => bench.close())

const act = (id: string, user: string, skill = 'suspend_user'): string => `- id: ${id}\n  skill: directory.${skill}\n  with: { user: ${user} }`
const good: Answer = () => done({ state: 'x' })
const limit = (impact: string): string => `limits: { impact: ${impact} }`

test('a call beyond the budget is not sent, and the run fails whatever `on_error` says', async () => {
  bench = await Bench.open(playbook(`${act('a', 'ada')}\n${act('b', 'bob')}\n  on_error: continue`, limit('{ high: 1 }')))
  await bench.live(good)
  expect(bench.called).toEqual(['suspend_user ada'])
  expect(await bench.ended()).toMatchObject({ state: 'failed', failure: { code: 'impact_exceeded', step: 'b' } })
})

test('writes and high-impact calls count separately; reads and tries do not count', async () => {
  const steps = `- id: look\n  skill: directory.get_user\n  with: { user: eve }\n${act('a', 'ada')}\n  retry: { attempts: 3, on: [network] }`
  bench = await Bench.open(playbook(steps, limit('{ high: 1, write: 0 }')))
  await bench.live(({ skill }, number) => (skill.id === 'suspend_user' && number < 4 ? failing('not_sent') : done({ state: 'x' })))
  expect(bench.called).toEqual(['get_user eve', 'suspend_user ada', 'suspend_user ada', 'suspend_user ada'])
  expect(await bench.ended()).toMatchObject({ state: 'completed' })
})

test('distinct targets count, the same one only once', async () => {
  bench = await Bench.open(playbook(`${act('a', 'ada')}\n${act('b', 'ada')}\n${act('c', 'bob')}`, limit('{ targets: 1 }')))
  await bench.live(good)
  expect(bench.called).toEqual(['suspend_user ada', 'suspend_user ada'])
  expect(await bench.ended()).toMatchObject({ failure: { code: 'impact_exceeded', step: 'c' } })
})

test('calls of earlier executions count, whatever this one does first', async () => {
  const steps = `- id: each\n  foreach: [ada, bob, eve]\n  as: user\n  concurrency: 3\n  steps:\n    - id: look\n      skill: directory.get_user\n      with: { user: '{{ user }}' }\n    - id: act\n      skill: directory.suspend_user\n      with: { user: '{{ user }}' }`
  bench = await Bench.open(playbook(steps, limit('{ high: 1 }')))
  const eveFirst: Answer = async ({ skill, input }) => {
    if (skill.id === 'suspend_user') throw new Crash()
    // In this execution only eve reaches her write.
    if ((input as { user: string }).user !== 'eve') return new Promise((_resolve, reject) => setTimeout(() => reject(new Crash()), 50))
    return done({ state: 'x' })
  }
  await bench.live(eveFirst)
  await bench.live(good)
  expect(bench.called.filter((called) => called.startsWith('suspend'))).toEqual(['suspend_user eve', 'suspend_user eve'])
  expect(await bench.ended()).toMatchObject({ failure: { code: 'impact_exceeded' } })
})

test('a sub-playbook has the budget of its caller, and its own', async () => {
  const sub = (limits: string): string =>
    `format: 1\nplaybook: inner\n${limits}\nsteps:\n${`${act('a', 'ada')}\n${act('b', 'bob')}`.replace(/^/gm, '  ')}\n`
  const again = '- id: again\n  playbook: inner'
  for (const [outer, inner] of [
    [limit('{ high: 1 }'), ''],
    ['', limit('{ high: 1 }')],
  ] as const) {
    if (inner !== '') await bench.close()
    bench = await Bench.open(playbook(again, outer), {}, [sub(inner)])
    await bench.live(good)
    expect(bench.called).toEqual(['suspend_user ada'])
    expect(await bench.ended()).toMatchObject({ failure: { code: 'impact_exceeded', step: 'again/b' } })
  }
})

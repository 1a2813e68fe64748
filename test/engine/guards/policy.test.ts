import { afterEach, describe, expect, test } from 'vitest'
import { defaultPolicy, type ImpactLimits, type PinnedPolicy, type Policy } from '../../../runtime/domain/index.ts'
import { type Answer, Bench, Crash, done, failing, playbook } from '../support/harness.ts'

let bench: Bench
afterEach(() => bench.close())

const policyOf = (approvals: Partial<Policy['approvals']> = {}, impact: Partial<ImpactLimits> = {}): PinnedPolicy => ({
  revision: 3,
  approvals: { ...defaultPolicy.approvals, ...approvals },
  limits: { impact: { ...defaultPolicy.limits.impact, ...impact } },
})
async function open(steps: string, policy = policyOf(), rest = '', subs: readonly string[] = []): Promise<Bench> {
  bench = await Bench.open(playbook(steps, rest), {}, subs)
  bench.policy = policy
  return bench
}
const act = (id: string, user: string, skill = 'suspend_user'): string => `- id: ${id}\n  skill: directory.${skill}\n  with: { user: ${user} }`
/** A skill of the impact `write`. */
const tag = (id: string): string => `- id: ${id}\n  skill: directory.tag_users\n  with: { users: [bob] }`
const good: Answer = () => done({ state: 'x' })
/** Executes the run and approves until it has ended. Returns what people were asked. */
async function approveAll(answer: Answer = good): Promise<readonly string[]> {
  for (let lives = 0; lives < 20; lives++) {
    if (await bench.live(answer)) return (await bench.decisions()).map(({ step }) => step)
    if ((await bench.decisions()).some(({ state }) => state === 'open')) await bench.answer('approve')
  }
  throw new Error('it did not end')
}

test('before an uncovered high-impact call people are asked, and shown what would be sent', async () => {
  await open(act('a', 'ada'))
  const at = bench.clock.now()
  expect(await bench.live(good)).toBe(false)
  expect(bench.called).toEqual([])
  expect((await bench.records()).filter(({ kind }) => kind === 'intent')).toEqual([])
  expect(await bench.decisions()).toMatchObject([
    {
      kind: 'approval',
      state: 'open',
      step: 'a',
      title: "May directory.suspend_user be called on ada? The organization's policy requires approval.",
      by: ['approver'],
      approvers: 1,
      expiresAt: at + 86_400_000,
      actions: [{ step: 'a', skill: 'directory.suspend_user', target: 'ada', input: { user: 'ada' }, connection: { id: 'c', revision: 1 } }],
    },
  ])
  expect(await bench.ended()).toMatchObject({ state: 'waiting', wakeAt: at + 86_400_000 })
  await bench.answer('approve')
  expect(await bench.live(good)).toBe(true)
  expect(bench.called).toEqual(['suspend_user ada'])
  expect(await bench.ended()).toMatchObject({ state: 'completed' })
})

test('people are not asked about reads, writes, and calls that an approve step covers', async () => {
  const covered = `- id: ask\n  approve: { title: x, covers: b }\n${act('b', 'bob')}`
  await open(`- id: look\n  skill: directory.get_user\n  with: { user: eve }\n${tag('a')}\n${covered}`)
  expect(await approveAll()).toEqual(['ask'])
})

test('a policy can ask about no high-impact call, about one skill, or about a write', async () => {
  await open(`${act('a', 'ada')}\n${act('b', 'bob', 'page_user')}\n${tag('c')}`, policyOf({ high: 'none', skills: { 'directory.tag_users': 'ask' } }))
  expect(await approveAll()).toEqual(['c'])
  await bench.close()
  await open(`${act('a', 'ada')}\n${act('b', 'bob', 'page_user')}`, policyOf({ skills: { 'directory.page_user': 'none' } }))
  expect(await approveAll()).toEqual(['a'])
})

describe('without the approval', () => {
  test('declined: the step fails, nothing is sent, and an on_error can handle that', async () => {
    const handled = `${act('a', 'ada')}\n  on_error:\n    - id: say\n      case: { note: 'no: {{ steps.a.error.code }}' }`
    await open(handled)
    await bench.live(good)
    await bench.answer('decline', 'bob', { reason: 'Not her' })
    expect(await bench.live(good)).toBe(true)
    expect(bench.called).toEqual([])
    expect((await bench.case()).timeline).toContainEqual(expect.objectContaining({ body: { kind: 'note', text: 'no: approval_declined' } }))
    expect((await bench.records()).find(({ kind }) => kind === 'failed')).toMatchObject({
      address: 'a',
      effect: 'not_sent',
      failure: { code: 'approval_declined', message: 'bob declined: Not her', step: 'a' },
    })
  })

  test('expired: the step fails', async () => {
    await open(act('a', 'ada'), policyOf({ expires: 3_600_000 }))
    await bench.live(good)
    bench.clock.advance(3_600_000)
    expect(await bench.live(good)).toBe(true)
    expect(bench.called).toEqual([])
    expect(await bench.ended()).toMatchObject({ state: 'failed', failure: { code: 'approval_expired', step: 'a' } })
  })

  test('one of two: it keeps waiting, and the same person does not count twice', async () => {
    await open(act('a', 'ada'), policyOf({ approvers: 2, by: ['bob', 'eve'] }))
    await bench.live(good)
    await expect(bench.answer('approve', 'ada')).rejects.toMatchObject({ code: 'decision_not_yours' })
    await bench.answer('approve', 'bob')
    await expect(bench.answer('approve', 'bob')).rejects.toMatchObject({ code: 'decision_answered' })
    await bench.answer('approve', 'eve')
    expect(await bench.live(good)).toBe(true)
    expect(bench.called).toEqual(['suspend_user ada'])
  })
})

test('people are asked about each call of a loop and of a sub-playbook', async () => {
  const sub = `format: 1\nplaybook: inner\nconnections: { directory: { integration: directory } }\nsteps:\n${act('a', 'ada').replace(/^/gm, '  ')}\n`
  const loop = `- id: each\n  foreach: [bob, eve]\n  as: user\n  concurrency: 2\n  steps:\n    - id: act\n      skill: directory.suspend_user\n      with: { user: '{{ user }}' }`
  await open(`- id: again\n  playbook: inner\n${loop}`, policyOf(), '', [sub])
  expect((await approveAll()).toSorted()).toEqual(['again/a', 'each/0/act', 'each/1/act'])
  expect(bench.called.toSorted()).toEqual(['suspend_user ada', 'suspend_user bob', 'suspend_user eve'])
})

test('a replay asks nothing again, even if the policy has changed', async () => {
  await open(`${act('a', 'ada')}\n- id: cool\n  wait: { for: 10m }\n${tag('b')}`)
  await bench.live(good)
  await bench.answer('approve')
  expect(await bench.live(good)).toBe(false)
  bench.policy = policyOf({ skills: { 'directory.tag_users': 'ask' } }, { write: 0 })
  bench.clock.advance(600_000)
  expect(await bench.live(good)).toBe(true)
  expect(bench.called).toEqual(['suspend_user ada', 'tag_users'])
  expect(await bench.decisions()).toHaveLength(1)
})

test('however often its process dies, people are asked once and it is sent once', async () => {
  for (let dies = 1; dies < 16; dies++) {
    await open(`${act('a', 'ada')}\n${act('b', 'bob')}`)
    const { journal, runs } = bench.store
    let writes = 0
    const dying = <A extends unknown[], R>(method: (...given: A) => Promise<R>) => {
      return async (...given: A): Promise<R> => {
        writes += 1
        if (writes === dies) throw new Crash()
        return method(...given)
      }
    }
    const store = bench.store as { journal: typeof journal; runs: typeof runs }
    store.journal = { ...journal, append: dying(journal.append.bind(journal)) }
    store.runs = { ...runs, end: dying(runs.end.bind(runs)), sleep: dying(runs.sleep.bind(runs)) }
    const asked = await approveAll()
    expect(asked).toEqual(['a', 'b'])
    // A repeat of this skill in doubt is safe: it has the same effect once.
    expect(new Set(bench.called)).toEqual(new Set(['suspend_user ada', 'suspend_user bob']))
    expect(await bench.ended()).toMatchObject({ state: 'completed' })
    expect((await bench.records()).filter((record) => record.kind === 'done' && record.address === 'a')).toHaveLength(1)
    if (writes < dies) return
    await bench.close()
  }
  throw new Error('the run writes more than was tried')
})

describe('the limits of the policy', () => {
  test('apply if the playbook allows more, or sets none', async () => {
    for (const rest of ['', 'limits: { impact: { high: 5 } }']) {
      await open(`${act('a', 'ada')}\n${act('b', 'bob')}`, policyOf({ high: 'none' }, { high: 1 }), rest)
      await bench.live(good)
      expect(bench.called).toEqual(['suspend_user ada'])
      const message = "It was not sent. It would be number 2, and limits.impact.high of the organization's policy is 1."
      expect(await bench.ended()).toMatchObject({ state: 'failed', failure: { code: 'impact_exceeded', step: 'b', message } })
      if (rest === '') await bench.close()
    }
  })

  test("the playbook's limits apply if they are smaller", async () => {
    await open(`${act('a', 'ada')}\n${act('b', 'bob')}`, policyOf({ high: 'none' }, { high: 5 }), 'limits: { impact: { targets: 1 } }')
    await bench.live(good)
    expect(await bench.ended()).toMatchObject({
      failure: { code: 'impact_exceeded', message: expect.stringContaining('limits.impact.targets is 1') },
    })
  })

  test('nobody is asked about a call that is over the limits', async () => {
    await open(`${act('a', 'ada')}\n${act('b', 'bob')}`, policyOf({}, { targets: 1 }))
    expect(await approveAll()).toEqual(['a'])
    expect(await bench.ended()).toMatchObject({ failure: { code: 'impact_exceeded', step: 'b' } })
  })

  test('a declined call does not count', async () => {
    await open(`${act('a', 'ada')}\n  on_error: continue\n${act('b', 'bob')}`, policyOf({}, { high: 1 }))
    await bench.live(good)
    await bench.answer('decline')
    await bench.live(good)
    await bench.answer('approve')
    expect(await bench.live(good)).toBe(true)
    expect(bench.called).toEqual(['suspend_user bob'])
    expect(await bench.ended()).toMatchObject({ state: 'completed' })
  })
})

test('a write in doubt that was approved is settled without another approval', async () => {
  await open(act('a', 'ada', 'page_user'))
  await bench.live(good)
  await bench.answer('approve')
  const lost: Answer = () => failing('unknown')
  while (!(await bench.live(lost))) {
    const open = (await bench.decisions()).filter(({ state }) => state === 'open')
    if (open[0]?.kind === 'in_doubt') await bench.answer('give_up')
  }
  expect((await bench.decisions()).filter(({ kind }) => kind === 'approval')).toHaveLength(1)
})

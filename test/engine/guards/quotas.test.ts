import { afterEach, describe, expect, test } from 'vitest'
import {
  defaultPolicy,
  organizationScope,
  type PinnedPolicy,
  type Policy,
  type Quota,
  type Quotas,
  systemScope,
  timeText,
} from '../../../runtime/domain/index.ts'
import { pause, resume } from '../../support/pauses.ts'
import { type Answer, Bench, Crash, done, failing, playbook } from '../support/harness.ts'
import { never } from '../support/paused.ts'

let bench: Bench
afterEach(() => bench.close())

const hour = 3_600_000
const good: Answer = () => done({ state: 'x' })
const quotas = (parts: Partial<Quotas>): Policy => ({
  ...defaultPolicy,
  limits: { ...defaultPolicy.limits, quotas: { ...defaultPolicy.limits.quotas, ...parts } },
})
const suspending = (quota: Quota | null): Policy => quotas({ skills: { 'directory.suspend_user': quota } })
const two = suspending({ calls: 2, per: hour })
/** A policy that asks people about no call. */
const unasked: PinnedPolicy = { revision: 1, ...defaultPolicy, approvals: { ...defaultPolicy.approvals, high: 'none' } }

async function open(steps: string, standing = two, rest = ''): Promise<Bench> {
  bench = await Bench.open(playbook(steps, rest))
  bench.standing = standing
  return bench
}
const act = (id: string, user: string, skill = 'suspend_user'): string => `- id: ${id}\n  skill: directory.${skill}\n  with: { user: ${user} }`
const three = [act('a', 'ada'), act('b', 'bob'), act('c', 'eve')].join('\n')
const used = async (skill = 'directory.suspend_user'): Promise<number | undefined> => {
  const organization = (await bench.ended()).organization
  const [use] = await bench.store.quotas.usage(organizationScope(organization), organization, [{ skill, per: hour }])
  return use?.calls
}

test('the first call over the quota is put to people, and shows what would be sent', async () => {
  await open(three)
  const began = timeText(bench.clock.now())
  expect(await bench.live(good)).toBe(false)
  expect(bench.called).toEqual(['suspend_user ada', 'suspend_user bob'])
  const at = bench.clock.now()
  expect(await bench.decisions()).toMatchObject([
    {
      kind: 'quota',
      state: 'open',
      step: 'c',
      title: `May directory.suspend_user be called on eve over its quota? The organization's quota of 2 calls in 1h is full: 2 since ${began}.`,
      by: ['approver'],
      approvers: 1,
      askedAt: at,
      expiresAt: at + 86_400_000,
      actions: [{ step: 'c', skill: 'directory.suspend_user', target: 'eve', input: { user: 'eve' }, connection: { id: 'c', revision: 1 } }],
    },
  ])
  expect((await bench.records()).some((record) => record.kind === 'intent' && record.address === 'c')).toBe(false)
  expect(await bench.ended()).toMatchObject({ state: 'waiting', wakeAt: at + 86_400_000 })
  expect((await bench.case()).timeline).toContainEqual(
    expect.objectContaining({ body: expect.objectContaining({ kind: 'decision', state: 'open' }) }),
  )
})

test('approved: the call is sent, and counts', async () => {
  await open(three)
  await bench.live(good)
  expect(await used()).toBe(2)
  await bench.answer('approve')
  expect(await bench.live(good)).toBe(true)
  expect(bench.called).toEqual(['suspend_user ada', 'suspend_user bob', 'suspend_user eve'])
  expect(await used()).toBe(3)
  expect(await bench.ended()).toMatchObject({ state: 'completed' })
})

test('declined or not answered in time: the step fails with its own code, and an on_error can handle that', async () => {
  const said = (code: string): object => expect.objectContaining({ body: { kind: 'note', text: `no: ${code}` } })
  for (const code of ['quota_declined', 'quota_expired']) {
    await open(`${three}\n  on_error:\n    - id: say\n      case: { note: 'no: {{ steps.c.error.code }}' }`)
    await bench.live(good)
    if (code === 'quota_declined') await bench.answer('decline', 'bob', { reason: 'Not her' })
    else bench.clock.advance(86_400_000)
    expect(await bench.live(good)).toBe(true)
    expect(bench.called).toEqual(['suspend_user ada', 'suspend_user bob'])
    expect((await bench.case()).timeline).toContainEqual(said(code))
    const message = code === 'quota_declined' ? 'bob declined: Not her' : '0 of 1 had approved when the time ran out.'
    expect((await bench.records()).find(({ kind }) => kind === 'failed')).toMatchObject({
      address: 'c',
      effect: 'not_sent',
      failure: { code, message },
    })
    if (code === 'quota_declined') await bench.close()
  }
})

test('the current policy says who may answer, how many must, and for how long', async () => {
  await open(three, { ...two, approvals: { ...two.approvals, by: ['bob', 'eve'], approvers: 2, expires: hour } })
  await bench.live(good)
  expect(await bench.decisions()).toMatchObject([{ by: ['bob', 'eve'], approvers: 2, expiresAt: bench.clock.now() + hour }])
  await bench.answer('approve', 'bob')
  await expect(bench.answer('approve', 'ada')).rejects.toMatchObject({ code: 'decision_not_yours' })
  await bench.answer('approve', 'eve')
  expect(await bench.live(good)).toBe(true)
})

test('quotas roll: room comes back with time, but a call that people were asked about needs their answer', async () => {
  await open([act('a', 'ada'), act('b', 'bob'), '- id: rest\n  wait: { for: 61m }', act('c', 'eve')].join('\n'))
  await bench.live(good)
  bench.clock.advance(61 * 60_000)
  expect(await bench.live(good)).toBe(true)
  await bench.close()
  await open(three)
  await bench.live(good)
  bench.clock.advance(2 * hour)
  await bench.store.runs.wake(systemScope, bench.run, bench.clock.now())
  expect(await bench.live(good)).toBe(false)
  expect(bench.called).toHaveLength(2)
})

test('each skill has its own; a null has none; reads and writes have none by default', async () => {
  const look = '- id: look\n  foreach: [1, 2, 3]\n  as: n\n  steps: [{ id: get, skill: directory.get_user, with: { user: eve } }]'
  const tags = '- id: tags\n  foreach: [1, 2, 3]\n  as: n\n  steps: [{ id: tag, skill: directory.tag_users, with: { users: [bob] } }]'
  const high = { calls: 1, per: hour }
  await open([act('a', 'ada'), act('b', 'ada', 'page_user'), look, tags].join('\n'), quotas({ high }))
  expect(await bench.live(good)).toBe(true)
  await bench.close()
  await open(three, quotas({ high, skills: { 'directory.suspend_user': null } }))
  expect(await bench.live(good)).toBe(true)
  await bench.close()
  await open(tags, quotas({ write: { calls: 2, per: hour } }))
  expect(await bench.live(good)).toBe(false)
  expect(await bench.decisions()).toMatchObject([{ kind: 'quota', step: 'tags/2/tag' }])
})

test('by default a high-impact skill may be called twenty times an hour', async () => {
  const users = Array.from({ length: 21 }, (_, n) => `u${n}`).join(', ')
  await open(
    `- id: each\n  foreach: [${users}]\n  as: user\n  max_items: 30\n  steps: [{ id: act, skill: directory.suspend_user, with: { user: '{{ user }}' } }]`,
    defaultPolicy,
  )
  expect(await bench.live(good)).toBe(false)
  expect(bench.called).toHaveLength(20)
  expect(await bench.decisions()).toMatchObject([{ kind: 'quota', step: 'each/20/act' }])
})

test('a quota of zero calls asks about each call', async () => {
  await open(act('a', 'ada'), suspending({ calls: 0, per: hour }))
  await bench.live(good)
  expect((await bench.decisions())[0]?.title).toContain("The organization's quota of 0 calls in 1h is full.")
  await bench.answer('approve')
  expect(await bench.live(good)).toBe(true)
})

test('it applies to runs that began before the policy was set, and to those that pin none', async () => {
  await open(`${act('a', 'ada')}\n- id: rest\n  wait: { for: 10m }\n${act('b', 'bob')}`, suspending(null))
  bench.policy = unasked
  await bench.live(good)
  bench.standing = suspending({ calls: 0, per: hour })
  bench.clock.advance(600_000)
  expect(await bench.live(good)).toBe(false)
  expect(await bench.decisions()).toMatchObject([{ kind: 'quota', step: 'b' }])
})

describe('a call that people have approved already', () => {
  test('at an approve step still needs an answer, and the question names the approvers', async () => {
    await open(`- id: ask\n  approve: { title: x, covers: c }\n${three}`)
    await bench.live(good)
    await bench.answer('approve', 'ada')
    expect(await bench.live(good)).toBe(false)
    expect((await bench.decisions()).map(({ kind, title }) => [kind, title.includes('The call itself was approved by ada.')])).toEqual([
      ['approval', false],
      ['quota', true],
    ])
    await bench.answer('approve', 'bob')
    expect(await bench.live(good)).toBe(true)
    expect(bench.called).toHaveLength(3)
  })

  test("after the policy's question likewise", async () => {
    await open(act('a', 'ada'), suspending({ calls: 0, per: hour }))
    bench.policy = { ...unasked, approvals: defaultPolicy.approvals }
    await bench.live(good)
    await bench.answer('approve', 'eve')
    expect(await bench.live(good)).toBe(false)
    expect((await bench.decisions())[1]).toMatchObject({ kind: 'quota', title: expect.stringContaining('The call itself was approved by eve.') })
    await bench.answer('approve', 'bob')
    expect(await bench.live(good)).toBe(true)
  })

  test('does not count if it was declined', async () => {
    await open(`${act('a', 'ada')}\n  on_error: continue`)
    bench.policy = { ...unasked, approvals: defaultPolicy.approvals }
    await bench.live(good)
    await bench.answer('decline')
    await bench.live(good)
    expect(await used()).toBe(0)
  })
})

test('a call counts once, however often it is tried, even with several requests of a handler', async () => {
  await open(`${act('a', 'ada')}\n  retry: { attempts: 3, delay: 1s, on: [network] }\n${act('b', 'bob')}`)
  expect(await bench.live((_, n) => (n < 3 ? failing('not_sent') : done({ state: 'x' })))).toBe(true)
  expect(await used()).toBe(2)
  await bench.close()
  await open('- id: tag\n  skill: directory.tag_users\n  with: { users: [ada, bob, eve] }', quotas({ write: { calls: 1, per: hour } }))
  expect(await bench.live(good)).toBe(true)
  expect(await used('directory.tag_users')).toBe(1)
})

describe('a call that was counted, and could not be sent for longer than the quota lasts', () => {
  /** Counts calls of other runs. Returns which of them the quota had room for. */
  const others = async (...keys: string[]): Promise<boolean[]> => {
    const { organization } = await bench.ended()
    const call = { organization, skill: 'directory.suspend_user', quota: { calls: 2, per: hour }, anyway: false }
    const counted: boolean[] = []
    for (const key of keys) counted.push((await bench.store.quotas.count(systemScope, { ...call, key })).counted)
    return counted
  }
  const paused = async (): Promise<void> => {
    await open(act('a', 'ada'))
    await pause(bench.store, bench.clock)
    expect(await bench.live(never)).toBe(false)
    bench.clock.advance(2 * hour)
    expect(await used()).toBe(0)
  }
  const refused = async (): Promise<void> => {
    await open(`${act('a', 'ada')}\n  retry: { attempts: 3, delay: 1h, max_delay: 1h, on: [network] }`)
    expect(await bench.live(() => failing('not_sent'))).toBe(false)
    bench.clock.advance(2 * hour)
    expect(await used()).toBe(0)
  }

  test.each([
    ['a pause', paused],
    ['a long wait before a retry', refused],
  ])('because of %s: it counts from when it is sent', async (_why, begin) => {
    await begin()
    await resume(bench.store, bench.clock)
    expect(await bench.live(good)).toBe(true)
    expect(await used()).toBe(1)
    expect(await others('x', 'y')).toEqual([true, false])
  })

  test.each([
    ['a pause', paused],
    ['a long wait before a retry', refused],
  ])('because of %s: if the quota is full by now, people are asked, and once', async (_why, begin) => {
    await begin()
    expect(await others('x', 'y', 'z')).toEqual([true, true, false])
    await resume(bench.store, bench.clock)
    const sent = bench.called.length
    expect(await bench.live(never)).toBe(false)
    expect(await bench.decisions()).toMatchObject([{ kind: 'quota', state: 'open', step: 'a' }])
    await bench.answer('approve')
    await pause(bench.store, bench.clock)
    expect(await bench.live(never)).toBe(false)
    bench.clock.advance(2 * hour)
    expect(await others('u', 'v')).toEqual([true, true])
    await resume(bench.store, bench.clock)
    expect(await bench.live(good)).toBe(true)
    expect(bench.called).toHaveLength(sent + 1)
    expect(await used()).toBe(3)
    expect(await bench.decisions()).toHaveLength(1)
  })
})

test('a counted write in doubt is settled without another question, whatever the quota is now', async () => {
  await open(act('a', 'ada', 'page_user'), quotas({ high: { calls: 1, per: hour } }))
  await bench.live(() => failing('unknown'))
  bench.standing = quotas({ high: { calls: 0, per: hour } })
  await bench.answer('repeat')
  expect(await bench.live(good)).toBe(true)
  expect((await bench.decisions()).map(({ kind }) => kind)).toEqual(['in_doubt'])
  expect(await used('directory.page_user')).toBe(1)
})

test('a call over the budget is neither counted nor asked about', async () => {
  await open(three, suspending({ calls: 1, per: hour }), 'limits: { impact: { high: 1 } }')
  expect(await bench.live(good)).toBe(true)
  expect(await bench.ended()).toMatchObject({ failure: { code: 'impact_exceeded', step: 'b' } })
  expect(await bench.decisions()).toEqual([])
  expect(await used()).toBe(1)
})

test('a call that is declined for its quota does not use the budget', async () => {
  const steps = `${act('a', 'ada')}\n  on_error: continue\n${act('b', 'bob', 'page_user')}`
  await open(steps, suspending({ calls: 0, per: hour }), 'limits: { impact: { high: 1 } }')
  await bench.live(good)
  await bench.answer('decline')
  expect(await bench.live(good)).toBe(true)
  expect(bench.called).toEqual(['page_user bob'])
})

test('however often its process dies, each call is counted, asked about and sent once', async () => {
  for (let dies = 1; dies < 60; dies++) {
    await open([act('a', 'ada', 'page_user'), act('b', 'bob', 'page_user')].join('\n'), quotas({ high: { calls: 1, per: hour } }))
    let operations = 0
    const dying = new Proxy(bench.store, {
      get: (store, name) => {
        const aggregate = Reflect.get(store, name) as object
        return new Proxy(aggregate, {
          get: (target, method) => {
            const call = Reflect.get(target, method) as (...given: unknown[]) => Promise<unknown>
            if (typeof call !== 'function') return call
            return async (...given: unknown[]) => {
              operations += 1
              if (operations === dies * 2) throw new Crash()
              const answer = await call.apply(target, given)
              if (operations === dies * 2 + 1) throw new Crash()
              return answer
            }
          },
        })
      },
    })
    let ended = false
    for (let lives = 0; lives < 20 && !ended; lives++) {
      ended = await bench.live(good, dying)
      if (ended) break
      for (const { id, kind, state } of await bench.decisions())
        if (state === 'open') await bench.answerTo(id, kind === 'quota' ? 'approve' : 'repeat', 'ada')
    }
    expect(ended).toBe(true)
    const asked = await bench.decisions()
    expect(asked.filter(({ kind }) => kind === 'quota').map(({ step, state }) => [step, state])).toEqual([['b', 'approved']])
    expect(await used('directory.page_user')).toBe(2)
    const doubts = asked.filter(({ kind }) => kind === 'in_doubt').length
    expect(bench.called.length).toBeLessThanOrEqual(2 + doubts)
    expect(await bench.ended()).toMatchObject({ state: 'completed' })
    if (operations < dies * 2) return
    await bench.close()
  }
  throw new Error('the run does more to the store than was tried')
})

import { afterEach, describe, expect, test } from 'vitest'
import { Bench, Crash, call, done, failing, playbook } from './support/harness.ts'

let bench: Bench
afterEach(() => bench.close())

const cancelled = { state: 'failed', failure: { code: 'run_cancelled', message: 'ada cancelled it: a drill' } }
const nothing = (): never => {
  throw new Error('nothing is to be called any more')
}

/** Returns the entries of the case after its opening. */
async function told(): Promise<string[]> {
  const { timeline } = await bench.case()
  return timeline.slice(1).map(({ body }) => {
    if (body.kind === 'action') return `${body.skill} ${body.target}: ${body.outcome}`
    if (body.kind === 'decision') return `decision ${body.state}`
    return body.kind === 'failure' ? body.code : body.kind
  })
}

describe('a run that is cancelled while it runs', () => {
  test('ends before its next step; a write under way finishes and is recorded', async () => {
    bench = await Bench.open(playbook(`${call('one', 'page_user', 'ada')}${call('two', 'page_user', 'bob')}`))
    await bench.live(async () => {
      await bench.cancel('a drill')
      return done({ state: 'x' })
    })
    expect(bench.called).toEqual(['page_user ada'])
    expect(await bench.ended()).toMatchObject({ ...cancelled, cancelled: { by: 'ada', reason: 'a drill' } })
    expect((await bench.records()).filter(({ kind }) => kind === 'done')).toMatchObject([{ address: 'one' }])
    expect(await told()).toEqual(['cancelled', 'directory.page_user ada: done', 'run_cancelled'])
  })

  test('does not send a write whose intent comes after the cancellation, and the journal says so', async () => {
    bench = await Bench.open(playbook(`${call('look', 'get_user', 'ada')}${call('act', 'page_user', 'ada')}`))
    const store = { ...bench.store, journal: { ...bench.store.journal, read: bench.store.journal.read } }
    // Cancels the run just before the intent is appended.
    store.journal.append = async (scope, run, entry) => {
      if (entry.records.some(({ kind }) => kind === 'intent') && !(await bench.ended()).cancelled) await bench.cancel('a drill')
      return bench.store.journal.append(scope, run, entry)
    }
    await bench.live(() => done({ state: 'x' }), store)
    expect(bench.called).toEqual(['get_user ada'])
    expect(await bench.ended()).toMatchObject(cancelled)
    expect(await bench.records()).toContainEqual(
      expect.objectContaining({ kind: 'tried', address: 'act', effect: 'not_sent', code: 'run_cancelled' }),
    )
  })

  test.each(['suspend_user', 'page_user'])(
    'does not send a write whose intent comes after the cancellation, even if the process dies there: %s',
    async (skill) => {
      bench = await Bench.open(playbook(`${call('look', 'get_user', 'ada')}${call('act', skill, 'ada')}`))
      const store = { ...bench.store, journal: { ...bench.store.journal } }
      let dead = false
      store.journal.append = async (scope, run, entry) => {
        if (dead) throw new Crash()
        if (!entry.records.some(({ kind }) => kind === 'intent')) return bench.store.journal.append(scope, run, entry)
        if (!(await bench.ended()).cancelled) await bench.cancel('a drill')
        const appended = await bench.store.journal.append(scope, run, entry)
        dead = appended === 'appended'
        return appended
      }
      store.runs = { ...store.runs, end: () => Promise.reject(new Crash()) }
      await bench.live(() => done({ state: 'x' }), store)
      expect(dead).toBe(true)
      expect(await bench.live(nothing)).toBe(true)
      expect(bench.called).toEqual(['get_user ada'])
      expect(await bench.decisions()).toEqual([])
      expect(await bench.ended()).toMatchObject(cancelled)
    },
  )

  test('begins no other step, not even one without a call', async () => {
    bench = await Bench.open(playbook(`${call('look', 'get_user', 'ada')}- { id: say, case: { note: 'all well' } }\n`))
    await bench.live(() => done({ state: 'x' }), { ...bench.store, cases: { ...bench.store.cases, record: () => Promise.reject(new Crash()) } })
    await bench.cancel('a drill')
    expect(await bench.live(nothing)).toBe(true)
    expect(await bench.ended()).toMatchObject(cancelled)
    expect(await told()).not.toContain('note')
  })

  test('does not complete, even if its last step was done', async () => {
    bench = await Bench.open(playbook(call('look', 'get_user', 'ada'), "verdict: { summary: 'all well' }"))
    await bench.live(async () => {
      await bench.cancel('a drill')
      return done({ state: 'x' })
    })
    expect(await bench.ended()).toMatchObject(cancelled)
  })

  test('ends although there are on_error lists, in branches, loops and sub-playbooks', async () => {
    const inner = `format: 1
playbook: inner
connections: { directory: { integration: directory } }
inputs: { user: { type: string } }
steps:
  - { id: each, foreach: [x, y, z], as: item, steps: [{ id: page, skill: directory.page_user, with: { user: '{{ item }}' }, on_error: continue }], on_error: continue }
`
    const steps = `
- id: beside
  parallel:
    branches:
      a: [{ id: sub, playbook: inner, with: { user: ada }, on_error: continue }, { id: after, case: { note: went on } }]
      b: [{ id: other, skill: directory.get_user, with: { user: bob }, on_error: continue }, { id: cool, wait: { for: 10h }, on_error: continue }]
  on_error: [{ id: handler, case: { note: caught } }]
- { id: last, case: { note: went on } }`
    bench = await Bench.open(playbook(steps), {}, [inner])
    await bench.live(async ({ skill }) => {
      if (skill.id === 'page_user') await bench.cancel('a drill')
      return done({ state: 'x' })
    })
    expect(bench.called.filter((name) => name.startsWith('page_user'))).toHaveLength(1)
    expect(await bench.ended()).toMatchObject(cancelled)
    expect(await told()).not.toContain('note')
  })

  test('is not tried again', async () => {
    bench = await Bench.open(playbook(call('act', 'page_user', 'ada')))
    await bench.live(async () => {
      await bench.cancel('a drill')
      return failing('not_sent')
    })
    expect(bench.called).toEqual(['page_user ada'])
    expect(await bench.ended()).toMatchObject(cancelled)
    expect(await told()).toContain('directory.page_user ada: run_cancelled')
  })

  test('does not repeat a write that a probe did not find', async () => {
    bench = await Bench.open(playbook(call('act', 'unpair_user', 'ada')))
    await bench.live(async ({ skill }) => {
      if (skill.id === 'get_user') return done({ state: 'there' })
      await bench.cancel('a drill')
      return failing('unknown', 'call_timeout')
    })
    expect(bench.called).toEqual(['unpair_user ada', 'get_user ada'])
    expect(await bench.ended()).toMatchObject(cancelled)
    expect(await told()).toContain('directory.unpair_user ada: run_cancelled')
  })

  test('ends after the next claim if its process dies', async () => {
    bench = await Bench.open(playbook(`${call('one', 'suspend_user', 'ada')}${call('two', 'page_user', 'bob')}`))
    await bench.live(async () => {
      await bench.cancel('a drill')
      throw new Crash()
    })
    expect(await bench.ended()).toMatchObject({ state: 'running' })
    // Suspending again is safe, so the write that was under way is settled by repeating it.
    await bench.live(() => done({ state: 'x' }))
    expect(bench.called).toEqual(['suspend_user ada', 'suspend_user ada'])
    expect(await bench.ended()).toMatchObject(cancelled)
  })
})

describe('a run that is cancelled while it sleeps', () => {
  test.each([
    ['a time', '- id: cool\n  wait: { for: 10h }\n'],
    ['a poll', '- id: cool\n  wait: { poll: { skill: directory.get_user, with: { user: ada } }, every: 5m, until: false, at_most: 10h }\n'],
  ])('for %s is woken at once, and ends', async (_, wait) => {
    bench = await Bench.open(playbook(`${call('look', 'get_user', 'ada')}${wait}${call('act', 'page_user', 'ada')}`))
    await bench.live(() => done({ state: 'x' }))
    const before = bench.calls.length
    await bench.cancel('a drill')
    expect(await bench.ended()).toMatchObject({ state: 'waiting', wakeAt: bench.clock.now() })
    expect(bench.jobs.map(({ run }) => run)).toEqual([bench.run])
    expect(await bench.live(nothing)).toBe(true)
    expect(bench.calls).toHaveLength(before)
    expect(await bench.ended()).toMatchObject(cancelled)
  })

  test('for an approval withdraws it', async () => {
    bench = await Bench.open(playbook(`- id: ask\n  approve: { title: May we?, covers: act }\n${call('act', 'page_user', 'ada')}`))
    await bench.live(nothing)
    await bench.cancel('a drill')
    await bench.live(nothing)
    expect(await bench.ended()).toMatchObject(cancelled)
    expect(await bench.decisions()).toMatchObject([{ state: 'withdrawn' }])
    expect(await told()).toEqual(['decision open', 'cancelled', 'run_cancelled', 'decision withdrawn'])
  })

  test('for a write in doubt waits for that; its other decisions are withdrawn at once', async () => {
    const steps = `
- id: beside
  parallel:
    branches:
      a: [{ id: page, skill: directory.page_user, with: { user: ada } }, { id: more, skill: directory.page_user, with: { user: eve } }]
      b: [{ id: ask, approve: { title: May we?, covers: act } }, { id: act, skill: directory.page_user, with: { user: bob } }]
      c: [{ id: cool, wait: { for: 10h } }]`
    bench = await Bench.open(playbook(steps))
    await bench.live(() => failing('unknown', 'call_timeout'))
    await bench.cancel('a drill')
    expect(await bench.live(nothing)).toBe(false)
    expect(await bench.ended()).toMatchObject({ state: 'waiting', wakeAt: null })
    expect((await bench.decisions()).map(({ kind, state }) => [kind, state]).sort()).toEqual([
      ['approval', 'withdrawn'],
      ['in_doubt', 'open'],
    ])
    await bench.answer('happened')
    expect(await bench.live(nothing)).toBe(true)
    expect(bench.called).toEqual(['page_user ada'])
    expect(await bench.ended()).toMatchObject(cancelled)
    expect(await told()).toContain('directory.page_user ada: done')
  })

  test('ends even if it went to sleep before it knew, while another call was under way', async () => {
    const steps = `
- id: beside
  parallel:
    branches:
      a: [{ id: page, skill: directory.page_user, with: { user: ada } }]
      b: [{ id: cool, wait: { for: 10h } }]`
    bench = await Bench.open(playbook(steps))
    expect(
      await bench.live(async () => {
        await bench.cancel('a drill')
        return done({ state: 'x' })
      }),
    ).toBe(false)
    expect(await bench.ended()).toMatchObject({ state: 'waiting', wakeAt: bench.clock.now() })
    expect(await bench.live(nothing)).toBe(true)
    expect(await bench.ended()).toMatchObject(cancelled)
  })

  test('begins none of the remaining steps once its write in doubt is settled', async () => {
    // The branch that was done in an earlier execution has steps that leave no record. The write after the
    // join is in doubt.
    const steps = `
- id: beside
  parallel:
    join: any
    branches:
      a: [{ id: look, skill: directory.get_user, with: { user: ada } }, { id: note, set: { seen: true } }]
      b: [{ id: cool, wait: { for: 10h } }, { id: more, skill: directory.page_user, with: { user: eve } }]
- { id: page, skill: directory.page_user, with: { user: ada } }
- { id: next, skill: directory.page_user, with: { user: bob } }`
    bench = await Bench.open(playbook(steps))
    await bench.live(({ skill }) => (skill.id === 'get_user' ? done({ state: 'x' }) : failing('unknown', 'call_timeout')))
    await bench.cancel('a drill')
    expect(await bench.live(nothing)).toBe(false)
    expect(await bench.ended()).toMatchObject({ state: 'waiting', wakeAt: null })
    await bench.answer('happened')
    expect(await bench.live(nothing)).toBe(true)
    expect(await bench.ended()).toMatchObject(cancelled)
    expect(await told()).toContain('directory.page_user ada: done')
  })
})

describe('a cancellation', () => {
  test('is recorded once: a second request returns the first one, and a run that has ended refuses it', async () => {
    bench = await Bench.open(playbook('- id: cool\n  wait: { for: 10h }\n'))
    await bench.live(nothing)
    await bench.cancel('a drill')
    expect(await bench.cancel('no, me', 'eve')).toMatchObject({ cancelled: { by: 'ada', reason: 'a drill' } })
    await bench.live(nothing)
    expect(await bench.ended()).toMatchObject(cancelled)
    await expect(bench.cancel('again')).rejects.toMatchObject({ code: 'run_over' })
  })

  test('still takes effect if only the journal has it because the process died', async () => {
    bench = await Bench.open(playbook(`- id: cool\n  wait: { for: 10m }\n${call('act', 'page_user', 'ada')}`))
    await bench.live(nothing)
    const cancellation = { principal: 'ada', by: 'ada', reason: 'a drill', at: bench.clock.now() } as never
    const position = (await bench.store.journal.read({ organizations: 'all' }, bench.run)).length
    await bench.store.journal.append({ organizations: 'all' }, bench.run, {
      position,
      epoch: 1,
      format: 1,
      records: [{ kind: 'cancelled', ...(cancellation as object) } as never],
    })
    bench.clock.advance(600_000)
    expect(await bench.live(nothing)).toBe(true)
    expect(await bench.ended()).toMatchObject(cancelled)
  })
})

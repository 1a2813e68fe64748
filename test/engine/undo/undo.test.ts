import { afterEach, describe, expect, test } from 'vitest'
import { type Alert, systemScope } from '../../../runtime/domain/index.ts'
import { Crash, connection, done, failing } from '../support/harness.ts'
import { ada, fine, UndoBench } from '../support/undo-bench.ts'

let undo: UndoBench
afterEach(() => undo.close())

const act = (id: string, skill: string, user = 'ada'): string => `- id: ${id}\n  skill: directory.${skill}\n  with: { user: ${user} }\n`
const alertOf = async (): Promise<Alert | undefined> => (await undo.bench.store.alerts.get(systemScope, [(await undo.run()).alert]))[0]

const contain = `format: 1
playbook: contain
inputs: { user: { type: string, required: true } }
connections: { directory: { integration: directory } }
steps:
  - id: act
    skill: directory.suspend_user
    with: { user: '{{ inputs.user }}' }
`

test('the writes of a run are taken back, the last one first, wherever in the playbook they are', async () => {
  undo = await UndoBench.ended(
    `
- id: each
  foreach: [ada, bob]
  as: user
  max_items: 5
  steps:
    - id: act
      skill: directory.suspend_user
      with: { user: '{{ user }}' }
- id: both
  parallel:
    branches:
      one: [{ id: grant, skill: directory.grant_role, with: { user: eve } }]
      two: [{ id: look, skill: directory.get_user, with: { user: eve } }]
- id: sub
  playbook: contain
  with: { user: joe }
- id: tag
  skill: directory.tag_users
  with: { users: [joe, eve] }`,
    {},
    fine,
    [contain],
  )
  const before = await alertOf()
  const { document, begun } = await undo.begin()
  expect(begun).toBe(true)
  expect(document.steps.map(({ undoes, skill }) => [undoes.address, skill])).toEqual([
    ['tag', 'untag_users'],
    ['sub/act', 'activate_user'],
    ['both/one/grant', 'revoke_grant'],
    ['each/1/act', 'activate_user'],
    ['each/0/act', 'activate_user'],
  ])
  expect(undo.bench.jobs.at(-1)).toMatchObject({ run: undo.id(), attempt: 1, type: 'test' })
  expect(await undo.live()).toBe(true)
  expect(undo.called).toEqual([
    'untag_users joe,eve',
    'activate_user joe',
    'revoke_grant grant of eve of eve',
    'activate_user bob',
    'activate_user ada',
  ])
  expect(await undo.undoRun()).toMatchObject({
    state: 'completed',
    failure: null,
    undo: { run: undo.bench.run, number: 1, by: 'ada', reason: 'A drill.' },
  })
  // The alert itself does not change.
  expect(await alertOf()).toEqual(before)
  const { timeline } = await undo.bench.case()
  const said = timeline.filter(({ key }) => key.startsWith(`${undo.id()}#`))
  expect(said.map(({ body }) => (body.kind === 'action' ? `${body.skill} on ${body.target}: ${body.outcome}` : body.kind)).sort()).toEqual([
    'directory.activate_user on ada: done',
    'directory.activate_user on bob: done',
    'directory.activate_user on joe: done',
    'directory.revoke_grant on grant of eve: done',
    'directory.untag_users on joe,eve: done',
    'undo',
    'undone',
  ])
  expect(said.find(({ body }) => body.kind === 'undo')).toMatchObject({
    actor: { principal: 'ada' },
    body: { undoes: undo.bench.run, text: 'A drill.\nAll 5 writes of the run are to be undone.' },
  })
})

test('an input is data, whatever is in it', async () => {
  const user = '{{ 7 | plus: 1 }} {% raw %}'
  undo = await UndoBench.ended("- id: act\n  skill: directory.suspend_user\n  with: { user: '{{ alert.content.user }}' }", { user })
  await undo.begin()
  await undo.live()
  expect(undo.bench.calls.map(({ input }) => input)).toEqual([{ user }])
})

test('a write with a very large input, stored beside the journal, is also taken back', async () => {
  const user = 'x'.repeat(100_000)
  undo = await UndoBench.ended("- id: act\n  skill: directory.suspend_user\n  with: { user: '{{ alert.content.user }}' }", { user })
  await undo.begin()
  await undo.live()
  expect(undo.bench.calls.map(({ input }) => input)).toEqual([{ user }])
})

describe('is refused', () => {
  test('while the run has not ended', async () => {
    undo = await UndoBench.ended(act('a', 'suspend_user'), {}, () => {
      throw new Crash()
    })
    await expect(undo.begin()).rejects.toMatchObject({ code: 'run_going' })
    await expect(undo.look()).rejects.toMatchObject({ code: 'run_going' })
  })

  test('of a run that undoes another', async () => {
    undo = await UndoBench.ended(act('a', 'suspend_user'))
    await undo.begin()
    await undo.live()
    await expect(undo.bench.undoDesk().begin(await undo.undoRun(), { by: ada, reason: null, uncertain: false, seen: null })).rejects.toMatchObject({
      code: 'run_undoes',
    })
  })

  test('if nothing can be undone', async () => {
    undo = await UndoBench.ended(act('a', 'page_user'))
    await expect(undo.begin()).rejects.toMatchObject({ code: 'undo_nothing' })
    expect(await undo.bench.store.runs.get(systemScope, undo.id())).toBeNull()
  })
})

describe('writes that are not undone are reported with the reason', () => {
  test('no inverse; not happened; an inverse that is not for this call', async () => {
    undo = await UndoBench.ended(
      `${act('page', 'page_user')}${act('refused', 'suspend_user')}  on_error: continue\n${act('system', 'grant_role', 'system')}${act('good', 'suspend_user', 'bob')}`,
      {},
      (call, number) => (number === 2 ? failing('refused', 'credentials_rejected') : fine(call, number)),
    )
    expect(await undo.left()).toEqual(['system: undo_unfit', 'refused: undo_not_happened', 'page: undo_no_inverse'])
    const { document } = await undo.begin()
    expect(document.steps.map(({ undoes }) => undoes.address)).toEqual(['good'])
    await undo.live()
    const { timeline } = await undo.bench.case()
    const text = timeline.flatMap(({ body }) => (body.kind === 'undo' ? [body.text] : [])).join()
    expect(text).toContain('Not undone: directory.page_user on ada: No skill undoes what this skill does.')
    expect(text).toContain('1 of the 4 writes of the run is to be undone.')
  })

  test('in doubt, and given up', async () => {
    undo = await UndoBench.ended(`${act('page', 'unpair_user')}  on_error: continue\n${act('good', 'suspend_user')}`, {}, (call, number) =>
      call.skill.id === 'suspend_user' ? fine(call, number) : failing('unknown', 'network'),
    )
    await expect(undo.look()).rejects.toMatchObject({ code: 'run_going' })
    await undo.bench.giveUp(fine)
    expect(await undo.left()).toEqual(['page: undo_in_doubt'])
  })

  test('but a write that a person said happened is undone', async () => {
    undo = await UndoBench.ended(act('page', 'unpair_user'), {}, () => failing('unknown', 'network'))
    await undo.bench.answer('happened')
    await undo.bench.live(fine)
    expect(await undo.left()).toEqual([])
    expect((await undo.look()).document.steps).toMatchObject([{ skill: 'pair_user', input: { user: 'ada' } }])
  })

  test('a write that changed nothing; and, unless asked for, one that may have changed nothing', async () => {
    undo = await UndoBench.ended(`${act('before', 'suspend_user', 'bob')}${act('asked', 'unpair_user')}`, {}, ({ skill }) => {
      if (skill.id === 'suspend_user') return { ok: true, output: { state: 'x' }, changed: 'no' }
      return skill.id === 'get_user' ? done({ state: 'unpaired' }) : failing('unknown', 'network')
    })
    expect(await undo.left()).toEqual(['asked: undo_uncertain', 'before: undo_unchanged'])
    await expect(undo.begin()).rejects.toMatchObject({ code: 'undo_nothing' })
    expect(await undo.left(true)).toEqual(['before: undo_unchanged'])
  })

  test('a repeat that changed nothing may find the change of the try before', async () => {
    undo = await UndoBench.ended(act('a', 'suspend_user'), {}, (_call, number) =>
      number === 1 ? failing('unknown', 'network') : { ok: true, output: {}, changed: 'no' },
    )
    expect(await undo.left()).toEqual(['a: undo_uncertain'])
  })

  test('a connection that is gone or leads elsewhere; but one with new secrets or a new name is fine', async () => {
    undo = await UndoBench.ended(act('a', 'suspend_user'))
    const { connections } = undo.bench.store
    await connections.remove(systemScope, connection.id)
    expect(await undo.left()).toEqual(['a: undo_connection_gone'])
    // The run of the test pinned no fingerprint, so only the same revision is known to lead to the same system.
    await connections.create(systemScope, { ...connection, revision: 2 })
    expect(await undo.left()).toEqual(['a: undo_connection_moved'])
  })

  test('a skill that the plugin no longer has', async () => {
    undo = await UndoBench.ended(act('a', 'suspend_user'))
    const [plugin] = [...undo.bench.plugins.values()]
    if (!plugin) throw new Error('no plugin')
    for (const gone of ['suspend_user', 'activate_user']) {
      undo.bench.plugins = new Map([['directory', { ...plugin, skills: new Map([...plugin.skills].filter(([id]) => id !== gone)) }]])
      expect(await undo.left()).toEqual(['a: undo_skill_gone'])
    }
    undo.bench.plugins = new Map()
    expect(await undo.left()).toEqual(['a: undo_skill_gone'])
  })
})

describe('once', () => {
  test('two requests at the same time begin one undo', async () => {
    undo = await UndoBench.ended(act('a', 'suspend_user'))
    const [one, other] = await Promise.all([undo.begin(), undo.begin(false, 'Another reason.')])
    expect(one.last?.run.id).toBe(undo.id())
    expect(other.last).toEqual(one.last)
    expect(await undo.bench.store.runs.get(systemScope, undo.id(2))).toBeNull()
    await undo.live()
    expect(await undo.begin()).toMatchObject({ begun: false, last: { run: { id: undo.id(), state: 'completed' } } })
    expect(undo.called).toEqual(['activate_user ada'])
    expect(await undo.left()).toEqual(['a: undo_done'])
  })

  test('and only the plan that was shown, if the caller names it', async () => {
    undo = await UndoBench.ended(`${act('a', 'suspend_user')}${act('b', 'suspend_user', 'bob')}`)
    const { digest } = await undo.look()
    const [plugin] = [...undo.bench.plugins.values()]
    const pinned = undo.bench.plugins
    undo.bench.plugins = new Map([['directory', { ...plugin!, skills: new Map([...plugin!.skills].filter(([id]) => id !== 'activate_user')) }]])
    await expect(undo.begin(false, null, digest)).rejects.toMatchObject({ code: 'undo_nothing' })
    undo.bench.plugins = pinned
    await expect(undo.begin(false, null, 'sha256:0')).rejects.toMatchObject({ code: 'undo_changed' })
    expect(await undo.begin(false, null, digest)).toMatchObject({ begun: true, last: { document: { steps: [{}, {}] } } })
  })

  test('a failed undo can be begun again, and continues with what is left', async () => {
    undo = await UndoBench.ended(`${act('a', 'suspend_user', 'ada')}${act('b', 'suspend_user', 'bob')}${act('c', 'suspend_user', 'eve')}`)
    await undo.begin()
    await undo.live((call, number) => (number === 2 ? failing('refused', 'credentials_rejected') : fine(call, number)))
    expect(undo.called).toEqual(['activate_user eve', 'activate_user bob', 'activate_user ada'])
    expect(await undo.undoRun()).toMatchObject({
      state: 'failed',
      failure: { code: 'undo_incomplete', message: '1 of 3 writes were not undone (directory.activate_user on bob: credentials_rejected).' },
    })
    expect([...((await undo.look()).last?.ends ?? [])].map(([id, { outcome, code }]) => [id, outcome, code])).toEqual([
      ['undo-1', 'undone', null],
      ['undo-2', 'failed', 'credentials_rejected'],
      ['undo-3', 'undone', null],
    ])
    const again = await undo.begin()
    expect(again).toMatchObject({ begun: true, last: { run: { id: undo.id(2), undo: { number: 2 } } } })
    undo.bench.calls.length = 0
    await undo.live(fine, 2)
    expect(undo.called).toEqual(['activate_user bob'])
    expect(await undo.undoRun(2)).toMatchObject({ state: 'completed' })
    expect(await undo.left()).toEqual(['c: undo_done', 'b: undo_done', 'a: undo_done'])
  })

  test('a call in doubt that was given up is not sent again', async () => {
    undo = await UndoBench.ended(`${act('a', 'suspend_user')}${act('b', 'grant_role', 'bob')}`)
    await undo.begin()
    expect(await undo.live(({ skill }) => (skill.id === 'revoke_grant' ? failing('unknown', 'network') : done({})))).toBe(false)
    expect(await undo.begin()).toMatchObject({ begun: false, last: { run: { id: undo.id(), state: 'waiting' } } })
    await undo.answer('give_up')
    expect(await undo.live()).toBe(true)
    expect(undo.called).toEqual(['revoke_grant grant of bob of bob', 'activate_user ada'])
    expect(await undo.undoRun()).toMatchObject({ failure: { code: 'undo_incomplete' } })
    expect(await undo.left()).toEqual(['b: undo_in_doubt', 'a: undo_done'])
    expect(await undo.begin()).toMatchObject({ begun: false })
  })

  test('a cancelled undo keeps what it has taken back, and the next one continues', async () => {
    undo = await UndoBench.ended(`${act('a', 'suspend_user', 'ada')}${act('b', 'suspend_user', 'bob')}`)
    await undo.begin()
    await undo.live(async (call, number) => {
      const cancellation = { principal: 'eve' as never, by: 'eve', reason: null, at: undo.bench.clock.now() }
      await undo.bench.store.runs.cancel(systemScope, undo.id(), cancellation)
      return fine(call, number)
    })
    expect(undo.called).toEqual(['activate_user bob'])
    expect(await undo.undoRun()).toMatchObject({ state: 'failed', failure: { code: 'run_cancelled' } })
    expect((await undo.look()).last?.ends.get('undo-2')).toEqual({ outcome: 'failed', code: 'run_cancelled', message: null })
    await undo.begin()
    await undo.live(fine, 2)
    expect(undo.called).toEqual(['activate_user bob', 'activate_user ada'])
  })
})

describe("the organization's policy", () => {
  test('asks about high-impact calls, and a declined call does not stop the others', async () => {
    undo = await UndoBench.ended(`${act('a', 'suspend_user')}${act('b', 'unpair_user', 'bob')}`)
    const { document, held } = await undo.begin()
    expect(document.steps.map((step) => [step.skill, held(step)])).toEqual([
      ['pair_user', 'approval'],
      ['activate_user', null],
    ])
    expect(await undo.live()).toBe(false)
    expect(undo.called).toEqual([])
    expect(await undo.decisions()).toMatchObject([{ kind: 'approval', state: 'open', step: 'undo-1', playbook: { name: 'undo of test' } }])
    await undo.answer('decline')
    expect(await undo.live()).toBe(true)
    expect(undo.called).toEqual(['activate_user ada'])
    expect(await undo.undoRun()).toMatchObject({ failure: { code: 'undo_incomplete', message: expect.stringContaining('approval_declined') } })
  })

  test('and an approved call is sent once', async () => {
    undo = await UndoBench.ended(act('b', 'unpair_user', 'bob'))
    await undo.begin()
    await undo.live()
    await undo.answer('approve')
    expect(await undo.live()).toBe(true)
    expect(undo.called).toEqual(['pair_user bob'])
    expect(await undo.undoRun()).toMatchObject({ state: 'completed' })
  })
})

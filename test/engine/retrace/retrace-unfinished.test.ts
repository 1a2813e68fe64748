import { afterEach, describe, expect, test } from 'vitest'
import { noTurns } from '../../../runtime/fairness/index.ts'
import { createRetraces } from '../../../runtime/retrace/index.ts'
import { type Bench, Crash, call, done, failing, playbook } from '../support/harness.ts'
import { all, line, never, type Opening, opened, retracing, user } from '../support/retraced.ts'

let bench: Bench
afterEach(() => bench.close())
const open = async (...given: Opening): Promise<void> => {
  bench = await opened(...given)
}
const { list, lines, retraces, why } = retracing(() => bench)

describe('a run that has not ended', () => {
  test('shows the step that waits, and the steps that contain it', async () => {
    await open(
      `
- id: outer
  if: true
  then:
    - id: ask
      approve: { title: 'Suspend {{ alert.content.user }}?', covers: act }
    - id: act
      skill: directory.suspend_user
      with: { user: '{{ alert.content.user }}' }`,
      { user: 'ada' },
    )
    await bench.live(user('x'))
    expect(await lines()).toEqual([
      'outer if waiting',
      'outer/ask approve waiting < {"title":"Suspend ada?","by":[],"covers":[{"skill":"directory.suspend_user","with":{"user":"ada"}}]}',
    ])
    await bench.answer('approve', 'ada', { reason: 'Seen' })
    await bench.live(user('suspended'))
    const [, ask, act] = (await list()).items
    expect(ask).toMatchObject({ state: 'done', decisions: [{ state: 'approved', answers: [{ by: 'ada', reason: 'Seen' }] }] })
    expect(act).toMatchObject({ state: 'done', target: 'ada', attempts: [{ number: 1 }] })
  })

  test('a run that was cancelled while it waited for people shows everything before its question', async () => {
    await open(`
- id: one
  skill: directory.get_user
  with: { user: ada }
- id: two
  set: { x: 1 }
- id: ask
  approve: { title: 'Suspend ada?', covers: act }
- id: act
  skill: directory.suspend_user
  with: { user: ada }`)
    await bench.live(user('x'))
    await bench.cancel('A drill')
    await bench.live(user('x'))
    expect((await lines()).map((text) => text.split(' <')[0])).toEqual(['one skill done', 'two set done > {"x":1}', 'ask approve interrupted'])
    const [act] = (await retraces().writes(await bench.ended(), never)).writes ?? []
    expect(act).toMatchObject({ cause: 'ended', because: ['ask'] })
  })

  test('an iteration that did not go on because another one failed shows what it wrote into the case', async () => {
    await open(`
- id: each
  foreach: [bob, ada, cy]
  as: who
  concurrency: 2
  on_error: continue
  steps:
    - id: ask
      if: { '!=': [{ var: who }, cy] }
      approve: { title: 'Go on with {{ who }}?' }
    - id: say
      if: { '==': [{ var: who }, cy] }
      case: { note: 'Looks at {{ who }}' }
    - id: look
      if: { '==': [{ var: who }, cy] }
      skill: directory.get_user
      with: { user: '{{ who }}' }`)
    await bench.live(user('x'))
    for (const { id, title } of await bench.decisions()) await bench.answerTo(id, title.includes('ada') ? 'decline' : 'approve', 'eve')
    await bench.live(() => {
      throw new Crash()
    })
    await bench.live(user('x'))
    expect((await bench.ended()).state).toBe('completed')
    const written = (await bench.case()).timeline.flatMap(({ body }) => (body.kind === 'note' ? [body.text] : []))
    expect(written).toEqual(['Looks at cy'])
    expect((await lines()).map((text) => text.split(' <')[0])).toContain('each/2/say case done')
  })

  test('a write in doubt is in doubt', async () => {
    await open(call('act', 'page_user', 'ada'))
    await bench.live(() => failing('unknown', 'network'))
    expect(await lines()).toEqual(['act skill in_doubt < {"user":"ada"}'])
    const [act] = (await list()).items
    expect(act).toMatchObject({ tries: 1, decisions: [{ kind: 'in_doubt', state: 'open' }] })
  })

  test('a run whose process died shows what its journal has', async () => {
    await open(`${call('one', 'get_user', 'ada')}\n${call('two', 'get_user', 'bob')}`)
    await bench.live((_, number) => {
      if (number === 1) return done({ state: 'x' })
      throw new Crash()
    })
    expect(await lines()).toEqual(['one skill done < {"user":"ada"} > {"state":"x"}', 'two skill under_way < {"user":"bob"}'])
  })

  test('a wait shows its end, and a poll each of its calls', async () => {
    await open(`
- id: rest
  wait: { for: 1h }
- id: search
  wait:
    poll: { skill: directory.get_user, with: { user: ada } }
    every: 10s
    until: { '==': [{ var: output.state }, done] }
    at_most: 1h`)
    await bench.live(user('x'))
    expect(await lines()).toEqual(['rest wait waiting'])
    const until = (millis: number): string => new Date(bench.clock.now() + millis).toISOString().replace('T', ' ').slice(0, 19).concat(' UTC')
    expect(await why('rest')).toEqual([`time: for 1h, until ${until(3_600_000)}`])
    bench.clock.advance(3_600_000)
    const answers = ['running', 'done']
    const time = `time: every 10s, for 1h at most, until ${until(3_600_000)}`
    const answer = () => done({ state: answers.shift() ?? '?' })
    await bench.live(answer)
    expect(await lines()).toContain('search wait waiting < {"user":"ada"}')
    expect(await why('search')).toEqual(['until false output.state == "done" output.state="running"', time])
    bench.clock.advance(10_000)
    await bench.live(answer)
    expect(await lines()).toEqual([
      'rest wait done',
      'search wait done < {"user":"ada"} > {"state":"done"}',
      'search/0 poll done > {"state":"running"}',
      'search/1 poll done > {"state":"done"}',
    ])
    expect(await why('search')).toEqual(['until true output.state == "done" output.state="done"', time])
  })
})

test('looking calls, writes and changes nothing', async () => {
  await open(`${call('look', 'get_user', 'ada')}\n- id: say\n  case: { note: Seen, status: contained }\n${call('act', 'page_user', 'ada')}`)
  await bench.live(({ skill }) => (skill.id === 'get_user' ? done({ state: 'x' }) : failing('unknown', 'network')))
  const before = [await bench.ended(), await bench.records(), await bench.case(), await bench.decisions(), bench.calls.length]
  await list()
  expect([await bench.ended(), await bench.records(), await bench.case(), await bench.decisions(), bench.calls.length]).toEqual(before)
})

test('a run whose playbook can no longer be read shows what its journal has, and says so', async () => {
  await open(`${call('look', 'get_user', 'ada')}\n${call('act', 'suspend_user', 'ada')}`)
  await bench.live(user('x'))
  const gone = { ...bench.libraries, playbooks: { byDigest: () => Promise.reject(Object.assign(new Error('gone'))) } }
  await expect(createRetraces(bench.store, { ...gone, turns: noTurns }).list(await bench.ended(), all, never)).rejects.toThrow('gone')
  const { TocsinError } = await import('../../../runtime/errors/index.ts')
  const unknown = {
    ...bench.libraries,
    playbooks: { byDigest: () => Promise.reject(new TocsinError('playbook_unknown', 'The store has no playbook x.')) },
  }
  const page = await createRetraces(bench.store, { ...unknown, turns: noTurns }).list(await bench.ended(), all, never)
  expect(page.items.map(line)).toEqual(['look unknown done > {"state":"x"}', 'act unknown done < {"user":"ada"} > {"state":"x"}'])
  expect(page.note).toContain('The store has no playbook x.')
  expect(page.items[1]).toMatchObject({ skill: 'directory.suspend_user', target: 'ada' })
})

test('a playbook that would now take another way is shown as far as the journal goes', async () => {
  await open(`${call('look', 'get_user', 'ada')}\n${call('act', 'suspend_user', 'ada')}`)
  await bench.live(user('x'))
  bench.swap(playbook(`${call('look', 'get_user', 'eve')}\n${call('act', 'suspend_user', 'ada')}`))
  expect(await lines()).toEqual(['look unknown done > {"state":"x"}', 'act unknown done < {"user":"ada"} > {"state":"x"}'])
  expect((await list()).note).toContain('From look on, this version of Tocsin')
})

import { afterEach, describe, expect, test } from 'vitest'
import type { Json } from '../../../runtime/domain/index.ts'
import { TocsinError } from '../../../runtime/errors/index.ts'
import type { SendResult, SkillRequest } from '../../../runtime/plugin/index.ts'
import { answered, fine, handlerSystem, notSent, type Reply } from '../support/handler-system.ts'
import { type Answer, Bench, Crash, failing, playbook } from '../support/harness.ts'

let bench: Bench
afterEach(() => bench.close())

/** The requests that the external system received, over all executions of the run. */
let sent: string[] = []

const lost: SendResult = { effect: 'unknown', code: 'network', message: 'the connection was cut' }
const system = (reply: Reply): Answer => handlerSystem(bench, sent, reply)

async function open(step: string): Promise<void> {
  sent = []
  bench = await Bench.open(playbook(`- id: act\n${step}`))
}
const tag = (...users: string[]): string => `  skill: directory.tag_users\n  with: { users: [${users.join(', ')}] }`
const post = (user: string): string => `POST /users/${user}/tags {"tag":"vip"}`
const outcome = async (): Promise<Json> =>
  (await bench.records()).findLast((record) => record.kind === 'done' && record.address === 'act') as unknown as Json

test('every request of a write has its own records, with the intent durable before it leaves', async () => {
  await open(tag('ada', 'bob'))
  const seen: string[][] = []
  const kinds = async (): Promise<string[]> =>
    (await bench.records()).map((record) => `${record.kind} ${'address' in record ? record.address : ''}`.trim())
  const answer = system(fine)
  await bench.live(async (call, number) => {
    const result = await answer(call, number)
    seen.push(await kinds())
    return result
  })
  expect(sent).toEqual(['GET /tag', post('ada'), post('bob')])
  expect(seen[0]?.filter((kind) => /intent|answered/.test(kind))).toEqual([
    'answered act#1',
    'intent act#2',
    'answered act#2',
    'intent act#3',
    // The last answer is written together with the step's outcome.
    ...(seen[0]?.includes('answered act#3') ? ['answered act#3'] : []),
  ])
  expect(await bench.ended()).toMatchObject({ state: 'completed' })
  expect(await outcome()).toMatchObject({ output: { value: { tagged: ['ada', 'bob'], refused: [] } } })
})

test.each([1, 2, 3, 4])('a death at request %i repeats no answered request', async (at) => {
  await open(tag('ada', 'bob', 'cyd'))
  const dying = system((request, number) => {
    if (number === at) throw new Crash()
    return fine(request)
  })
  expect(await bench.live(dying)).toBe(false)
  const before = [...sent]
  await bench.live(system(fine))
  const writes = sent.filter((line) => line.startsWith('POST'))
  expect(new Set(writes).size).toBe(writes.length)
  if (at === 1) {
    expect(sent).toEqual(['GET /tag', 'GET /tag', post('ada'), post('bob'), post('cyd')])
    expect(await bench.ended()).toMatchObject({ state: 'completed' })
  } else {
    // People are asked about the request that was under way. Later requests are not begun.
    expect(sent).toEqual(before)
    expect(await bench.giveUp(system(fine))).toMatchObject({
      step: expect.stringMatching(/^act#\d$/),
      title: expect.stringContaining('POST /users/'),
    })
    expect(sent).toEqual(before)
    expect(await bench.ended()).toMatchObject({
      state: 'failed',
      failure: { code: 'write_in_doubt', step: 'act', message: expect.stringContaining('POST /users/') },
    })
  }
})

test('a request whose answer never came leaves the step in doubt at once, and nothing is sent after it', async () => {
  await open(tag('ada', 'bob', 'cyd'))
  await bench.live(system((request, number) => (number === 3 ? lost : fine(request))))
  expect(sent).toEqual(['GET /tag', post('ada'), post('bob')])
  await bench.giveUp(system(fine))
  expect(sent).toHaveLength(3)
  expect(await bench.ended()).toMatchObject({ failure: { code: 'write_in_doubt' } })
})

test('a request that did not leave is retried, and earlier ones are not', async () => {
  await open(tag('ada', 'bob'))
  await bench.live(system((request, number) => (number === 3 || number === 4 ? notSent : fine(request))))
  expect(sent).toEqual(['GET /tag', post('ada'), post('bob'), post('bob'), post('bob')])
  expect(await bench.ended()).toMatchObject({ state: 'completed' })
  expect(await outcome()).toMatchObject({ output: { value: { tagged: ['ada', 'bob'] } } })
})

test('a temporary refusal is retried first, and then passed to the handler', async () => {
  const limited = answered({ message: 'slow down' }, 429)
  await open(tag('ada', 'bob'))
  await bench.live(system((request, number) => (number === 1 || number === 3 ? limited : fine(request))))
  expect(sent).toEqual(['GET /tag', 'GET /tag', post('ada'), post('ada'), post('bob')])
  expect(await outcome()).toMatchObject({ output: { value: { tagged: ['ada', 'bob'] } } })
  await bench.close()

  await open(tag('ada', 'bob'))
  await bench.live(system((request) => (request.path.includes('bob') ? limited : fine(request))))
  expect(sent).toEqual(['GET /tag', post('ada'), post('bob'), post('bob'), post('bob')])
  expect(await bench.ended()).toMatchObject({
    failure: { code: 'rate_limited', message: expect.stringContaining('1 of its requests had changed something') },
  })
})

test('a refusal is passed to the handler', async () => {
  await open(tag('ada', 'bob'))
  await bench.live(system((request) => (request.path.includes('ada') ? answered({ message: 'no such user' }, 400) : fine(request))))
  expect(sent).toEqual(['GET /tag', post('ada'), post('bob')])
  expect(await outcome()).toMatchObject({ output: { value: { tagged: ['bob'], refused: ['ada'] } } })
})

test('a failure after a change says that something was changed', async () => {
  await open(tag('ada', 'bob'))
  await bench.live(system((request) => (request.path.includes('bob') ? answered({ message: 'no' }, 403) : fine(request))))
  expect(await bench.ended()).toMatchObject({
    failure: { code: 'access_refused', message: expect.stringContaining('1 of its requests had changed something') },
  })
})

test('a failure after nothing but reads is no change, so nothing is left to undo', async () => {
  await open(tag('ada'))
  await bench.live(system(() => answered(null)))
  expect(sent).toEqual(['GET /tag'])
  const run = await bench.ended()
  expect(run).toMatchObject({ failure: { code: 'handler_failed' } })
  expect((await bench.records()).find(({ kind }) => kind === 'failed')).toMatchObject({ address: 'act', effect: 'refused' })
  await expect(bench.undoDesk().preview(run, false)).resolves.toMatchObject({ document: { steps: [], left: [{ code: 'undo_not_happened' }] } })
})

test('a handler that starts again gets the recorded answers, so it writes the same', async () => {
  await open('  skill: directory.merge_tags\n  with: { user: ada, tag: b }')
  let tags = ['a']
  await bench.live(
    system(({ method, body }) => {
      if (method === 'GET') return answered({ tags })
      // It arrives, and the process dies before the answer does.
      tags = [...(body as { tags: string[] }).tags]
      throw new Crash()
    }),
  )
  await bench.live(system(({ method }) => answered(method === 'GET' ? { tags } : {})))
  expect(sent).toEqual(['GET /users/ada/tags', 'PUT /users/ada/tags {"tags":["a","b"]}', 'PUT /users/ada/tags {"tags":["a","b"]}'])
  expect(await bench.ended()).toMatchObject({ state: 'completed' })
})

test('a large answer is stored beside the journal, and is found there', async () => {
  await open('  skill: directory.merge_tags\n  with: { user: ada, tag: b }')
  const tags = Array.from({ length: 20_000 }, (_, at) => `tag-${at}`)
  await bench.live(
    system(({ method }) => {
      if (method === 'GET') return answered({ tags })
      throw new Crash()
    }),
  )
  await bench.live(system(() => answered({})))
  expect(sent.map((line) => line.slice(0, 4))).toEqual(['GET ', 'PUT ', 'PUT '])
  expect((await bench.records()).find((record) => record.kind === 'answered')).toMatchObject({ answer: { stored: expect.stringMatching(/^act#1@/) } })
})

test('a read keeps its recorded requests, and does not repeat its waits', async () => {
  await open('  skill: directory.find_users\n  with: {}')
  bench.soon = true
  const began = bench.clock.now()
  await bench.live(
    system(({ method }, number) => {
      if (number === 3) throw new Crash()
      return answered(method === 'POST' ? { id: 's1' } : { done: false, users: [] })
    }),
  )
  expect(bench.clock.now() - began).toBe(60_000)
  await bench.live(system(() => answered({ done: true, users: ['ada'] })))
  expect(sent.filter((line) => line.startsWith('POST'))).toHaveLength(1)
  expect(sent[0]).toContain(`"at":${began}`)
  expect(await bench.ended()).toMatchObject({ state: 'completed' })
  expect(await outcome()).toMatchObject({ output: { value: { users: ['ada'] } } })
})

const atOnce = (wait: boolean, ...users: string[]): string =>
  `  skill: directory.tag_at_once\n  with: { users: [${users.join(', ')}], wait: ${wait} }`
const postsOf = (lines: readonly string[]): string[] => lines.map((line) => line.split(' ')[1] ?? '')

describe('concurrent requests of a handler', () => {
  test('are sent one after the other in order, each with its own record', async () => {
    await open(atOnce(true, 'ada', 'bob', 'cyd'))
    await bench.live(system(fine))
    expect(postsOf(sent)).toEqual(['/users/ada/tags', '/users/bob/tags', '/users/cyd/tags'])
    const intents = (await bench.records()).flatMap((record) => (record.kind === 'intent' ? [record.address] : []))
    expect(intents).toEqual(['act#1', 'act#2', 'act#3'])
  })

  test.each([true, false])('stop after one whose outcome is unknown (waited for: %s)', async (wait) => {
    await open(atOnce(wait, 'ada', 'bob', 'cyd'))
    await bench.live(system((request) => (request.path.includes('ada') ? lost : fine(request))))
    expect(postsOf(sent)).toEqual(['/users/ada/tags'])
    await bench.giveUp(system(fine))
    expect(await bench.ended()).toMatchObject({
      state: 'failed',
      failure: { code: 'write_in_doubt', message: expect.stringContaining('POST /users/ada/tags') },
    })
  })

  test('are all sent before the handler that did not wait for them ends', async () => {
    await open(atOnce(false, 'ada', 'bob', 'cyd'))
    await bench.live(system(fine))
    expect(sent).toHaveLength(3)
    expect(await bench.ended()).toMatchObject({ state: 'completed' })
  })

  test.each([1, 2, 3])('and the process dies at request %i: none is sent twice, and the next execution says what is in doubt', async (at) => {
    await open(atOnce(true, 'ada', 'bob', 'cyd'))
    const dying = system((request, number) => {
      if (number === at) throw new Crash()
      return fine(request)
    })
    expect(await bench.live(dying)).toBe(false)
    expect(sent).toHaveLength(at)
    await bench.live(system(fine))
    expect(sent).toHaveLength(at)
    await bench.giveUp(system(fine))
    expect(sent).toHaveLength(at)
    expect(await bench.ended()).toMatchObject({
      failure: { code: 'write_in_doubt', message: expect.stringContaining(`POST ${postsOf(sent)[at - 1]}`) },
    })
  })
})

test('a handler that starts again has the time of its first start', async () => {
  await open(atOnce(true, 'ada', 'bob'))
  await bench.live(
    system((request, number) => {
      bench.clock.advance(1_000)
      return number === 2 ? answered({ message: 'slower' }, 429) : fine(request)
    }),
  )
  expect(sent).toHaveLength(3)
  expect(new Set(sent.map((line) => line.split(' ').slice(1).join(' '))).size).toBe(2)
  expect(await bench.ended()).toMatchObject({ state: 'completed' })
})

test('a failure of the store while a request is recorded ends the execution, and the handler does not see it', async () => {
  await open(tag('ada', 'bob'))
  const { append } = bench.store.journal
  bench.store.journal.append = async (scope, run, entry) => {
    if (entry.records.some((record) => record.kind === 'intent' && record.address === 'act#3'))
      throw new TocsinError('store_unavailable', 'The store does not answer.')
    return append.call(bench.store.journal, scope, run, entry)
  }
  await expect(bench.live(system(fine))).rejects.toMatchObject({ code: 'store_unavailable' })
  expect(sent).toEqual(['GET /tag', post('ada')])
  bench.store.journal.append = append
  await bench.live(system(fine))
  expect(sent).toEqual(['GET /tag', post('ada'), post('bob')])
  expect(await bench.ended()).toMatchObject({ state: 'completed' })
})

test('a person says what happened to one request, and the handler continues with the others', async () => {
  for (const verdict of ['happened', 'repeat'] as const) {
    sent.length = 0
    await open(tag('ada', 'bob', 'cyd'))
    await bench.live(system((request, number) => (number === 3 ? lost : fine(request))))
    expect(sent).toEqual(['GET /tag', post('ada'), post('bob')])
    await bench.answer(verdict, 'ada', { output: verdict === 'happened' ? {} : null })
    expect(await bench.live(system(fine))).toBe(true)
    const again = verdict === 'repeat' ? [post('bob')] : []
    expect(sent).toEqual(['GET /tag', post('ada'), post('bob'), ...again, post('cyd')])
    expect(await bench.ended()).toMatchObject({ state: 'completed' })
    if (verdict === 'happened') await bench.close()
  }
})

describe('what a write of several requests changed', () => {
  const untag = '  skill: directory.untag_users\n  with: { users: [ada, bob] }'
  const gone = answered({}, 404)
  const changed = async (): Promise<unknown> => ((await outcome()) as { readonly write: { readonly changed?: string } }).write.changed

  test('is nothing if every answer says that nothing changed, even if an earlier execution got some of them', async () => {
    await open(untag)
    const answer = system(() => gone)
    await bench.live(answer)
    expect(await changed()).toBe('no')
    await bench.close()

    await open(untag)
    await bench.live(
      system((_request, number) => {
        if (number === 2) throw new Crash()
        return gone
      }),
    )
    await bench.live(answer)
    // Nobody knows whether the second change was there before its first try.
    expect(await changed()).toBe('perhaps')
  })

  test('is something if one request changed something', async () => {
    await open(untag)
    await bench.live(system((_request, number) => (number === 1 ? gone : answered({}))))
    expect(await changed()).toBeUndefined()
  })
})

test('a request that was settled by a probe is no longer in doubt, whatever happens to its repeat', async () => {
  await open('  skill: directory.stamp_user\n  with: { user: ada }')
  const stamp = 'POST /users/ada/stamp {}'
  const denied = answered({ message: 'no' }, 403)
  await bench.live(
    system(({ method }, number) => {
      if (method === 'GET') return answered({ state: 'bare' })
      return number === 1 ? lost : denied
    }),
  )
  expect(sent).toEqual([stamp, 'GET /users/ada', stamp])
  expect((await bench.records()).filter(({ kind }) => kind === 'probed')).toMatchObject([{ address: 'act#1', try: 1, happened: false }])
  expect(await bench.decisions()).toEqual([])
  expect(await bench.ended()).toMatchObject({ state: 'failed', failure: { step: 'act' } })
})

test('people are asked about the request in doubt, and earlier requests are not sent again', async () => {
  await open('  skill: directory.stamp_user\n  with: { user: ada }')
  await bench.live(system(({ method }, number) => (method === 'GET' ? answered({ state: 'stamped' }) : number === 2 ? lost : answered({}))))
  expect(sent).toEqual(['POST /users/ada/stamp {}', 'POST /users/ada/seal {}', 'GET /users/ada', 'POST /users/ada/seal {}'])
  expect(await bench.ended()).toMatchObject({ state: 'completed' })
})

describe('when the run is cancelled while the answer of a request is lost, and the target says that it did not happen', () => {
  const cancelledAt = (which: number): Answer =>
    system(async ({ method }, number) => {
      if (method === 'GET') return answered({ state: 'bare' })
      if (number !== which) return answered({})
      await bench.cancel('a drill')
      return lost
    })

  test('the first request is not sent again: the step has not begun', async () => {
    await open('  skill: directory.stamp_user\n  with: { user: ada }')
    await bench.live(cancelledAt(1))
    expect(sent).toEqual(['POST /users/ada/stamp {}', 'GET /users/ada'])
    expect(await bench.ended()).toMatchObject({ state: 'failed', failure: { code: 'run_cancelled' } })
  })

  test('a later request is sent again, because a step that has begun finishes', async () => {
    await open('  skill: directory.stamp_user\n  with: { user: ada }')
    await bench.live(cancelledAt(2))
    expect(sent).toEqual(['POST /users/ada/stamp {}', 'POST /users/ada/seal {}', 'GET /users/ada', 'POST /users/ada/seal {}'])
    expect((await outcome()) as object).toMatchObject({ output: { value: { state: 'sealed' } } })
  })
})

test.each([
  ['reads', '  skill: directory.find_users\n  with: {}'],
  ['writes', tag('ada', 'bob')],
])('a handler that %s and finds no slot does not fail: its run sleeps and tries again', async (_what, step) => {
  await open(step)
  const busy: Answer = () => failing('not_sent', 'isolates_busy')
  expect(await bench.live(busy)).toBe(false)
  expect(await bench.ended()).toMatchObject({ state: 'waiting', wakeAt: bench.clock.now() + 10_000 })
  expect((await bench.records()).map(({ kind }) => kind).filter((kind) => kind === 'intent' || kind === 'tried')).toEqual([])
  bench.clock.advance(10_000)
  const found = ({ path, method }: SkillRequest): SendResult =>
    path.startsWith('/searches') ? answered(method === 'GET' ? { done: true, users: [] } : { id: '1' }) : fine({ path, method } as SkillRequest)
  expect(await bench.live(system(found))).toBe(true)
  expect(await bench.ended()).toMatchObject({ state: 'completed' })
})

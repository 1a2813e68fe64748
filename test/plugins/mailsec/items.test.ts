import { describe, expect, test } from 'vitest'
import type { Json } from '../../../runtime/domain/index.ts'
import { type Answered, type Answers, answering } from '../answering.ts'

/** Tests skills for several items: some items fail, or the platform ignores domains. */
const call = await answering('mailsec')
const outputOf = async (skill: string, input: Json, answers: Answers): Promise<unknown> => {
  const { result } = await call(skill, input, answers)
  return result.ok ? { ok: true, ...(result.output as object) } : { ok: false, code: result.failure.code, ...(result.output as object | undefined) }
}
const mixed = (named: string): Json => ({
  results: [
    { [named]: 'a', status: 'succeeded' },
    { [named]: 'b', status: 'failed', error: { code: 'locked', message: 'It is locked.' } },
  ],
})
const none = (named: string): Json => ({
  results: [
    { [named]: 'a', success: false },
    { [named]: 'b', error: 'no' },
  ],
})

const skills: readonly (readonly [string, Json, string])[] = [
  ['mark_mailsec_messages_suspicious', { message_ids: ['a', 'b'] }, 'messageId'],
  ['mark_mailsec_messages_sensitive', { message_ids: ['a', 'b'], sensitive: true }, 'id'],
  ['update_mailsec_case_statuses', { case_ids: ['a', 'b'], status: 'closed' }, 'id'],
  [
    'update_mailsec_case_statuses',
    {
      cases: [
        { id: 'a', status: 'closed' },
        { id: 'b', status: 'open' },
      ],
    },
    'caseId',
  ],
  ['update_mailsec_detections', { detection_ids: ['a', 'b'], enabled: false, scope: 'global' }, 'id'],
]

describe.each(skills)('%s %j', (skill, input, named) => {
  test('fails if one item failed, and names it', async () => {
    const results = [
      { id: 'a', status: 'done', error: null },
      { id: 'b', status: 'failed', error: { code: 'locked', message: 'It is locked.' } },
    ]
    for (const status of [200, 207])
      expect(await outputOf(skill, input, () => ({ status, body: mixed(named) }))).toMatchObject({
        ok: false,
        code: 'items_failed',
        all_done: false,
        done: 1,
        failed: 1,
        unknown: 0,
        results,
      })
  })

  test('fails if all items failed', async () => {
    const { result } = await call(skill, input, () => ({ body: none(named) }))
    expect(result).toMatchObject({
      ok: false,
      effect: 'refused',
      failure: { code: 'items_failed', message: expect.stringContaining('0 of 2 were done, 2 failed: a') },
    })
  })

  test('fails with an unknown item if the answer does not name it', async () => {
    const body = { items: [{ id: 'a', status: 'succeeded' }] }
    expect(await outputOf(skill, input, () => ({ body }))).toMatchObject({ ok: false, code: 'items_failed', done: 1, unknown: 1 })
  })

  test('succeeds if the answer names no items', async () => {
    for (const body of ['', {}, { status: 'accepted' }]) expect(await outputOf(skill, input, () => ({ body }))).toMatchObject({ ok: true })
  })
})

test('a case that is returned with another status counts as failed', async () => {
  const of = (...items: Json[]): Promise<unknown> =>
    outputOf('update_mailsec_case_statuses', { case_ids: ['a', 'b'], status: 'closed', remediation: 'block' }, () => ({ body: { items } }))
  const right = { id: 'A', status: 'CLOSED', remediation: 'block' }
  expect(await of({ ...right, id: 'a' }, { id: 'b', status: 'Closed' })).toMatchObject({ ok: true, all_done: true, done: 2 })
  expect(await of({ ...right, id: 'a' }, { id: 'b', status: 'open' })).toMatchObject({
    ok: false,
    failed: 1,
    results: [{ status: 'done' }, { status: 'failed', error: { code: 'not_applied', message: expect.stringContaining('status open') } }],
  })
  expect(await of({ ...right, id: 'a' }, { id: 'b', status: 'closed', remediation: 'none' })).toMatchObject({ ok: false, failed: 1 })
})

test('a message that is returned with the old state counts as failed', async () => {
  const of = (sensitive: boolean, ...messages: Json[]): Promise<unknown> =>
    outputOf('mark_mailsec_messages_sensitive', { message_ids: ['a', 'b'], sensitive }, () => ({ body: { messages } }))
  expect(await of(true, { id: 'a', sensitive: true, status: 'delivered' }, { id: 'b' })).toMatchObject({ ok: true, message_ids: ['a', 'b'] })
  expect(await of(false, { id: 'a', sensitive: false }, { id: 'b', sensitive: true })).toMatchObject({ ok: false, message_ids: ['a'], failed: 1 })
})

test.each<Json>([
  { id: 'b', code: 'not_found', message: 'No.' },
  { id: 'b', failed: true },
  { id: 'b', errorCode: 'E7' },
  { id: 'b', success: 'false' },
  { id: 'b', statusCode: 404 },
])('an item that is returned with a failure counts as failed: %j', async (entry) => {
  const body = { items: [{ id: 'a' }, entry] }
  expect(await outputOf('mark_mailsec_messages_suspicious', { message_ids: ['a', 'b'] }, () => ({ body }))).toMatchObject({
    ok: false,
    done: 1,
    failed: 1,
  })
  expect(await outputOf('update_mailsec_case_statuses', { case_ids: ['a', 'b'], status: 'closed' }, () => ({ body }))).toMatchObject({
    ok: false,
    done: 1,
    failed: 1,
  })
})

describe('domain overrides', () => {
  const input = { detection_ids: ['d', 'e'], enabled: false, scope: 'domains', domains: ['Acme.example'] }
  type Detection = { readonly id: string; readonly enabled?: Json; readonly status?: Json; readonly domainOverrides?: Json }

  /** Makes a platform with two detections. `change` says what a request does. */
  function platform(
    change: (detection: Detection, asked: { readonly enabled: boolean; readonly domains?: readonly string[] }) => Detection,
    first: readonly Detection[],
  ) {
    const standing = new Map([...first, { id: 'other', enabled: true, domainOverrides: [] }].map((detection) => [detection.id, detection]))
    const answers: Answers = ({ method, body, query }) => {
      if (method === 'GET') {
        const ids = query.filter(([name]) => name === 'id').map(([, id]) => id)
        return { body: { items: [...standing.values()].filter(({ id }) => ids.includes(id)) as unknown as Json } }
      }
      const { ids, ...asked } = body as unknown as { ids: readonly string[]; enabled: boolean; domains?: readonly string[] }
      for (const id of ids) standing.set(id, change(standing.get(id) as Detection, asked))
      return { status: 204 }
    }
    return { standing, answers }
  }
  const both = (more: object = {}): readonly Detection[] => ['d', 'e'].map((id) => ({ id, enabled: true, domainOverrides: [], ...more }))

  test.each<[string, (domain: string, enabled: boolean) => Json]>([
    ['a list', (domain, enabled) => [{ domain, enabled }]],
    ['a map of booleans', (domain, enabled) => ({ [domain]: enabled })],
    ['a map of objects', (domain, enabled) => ({ [domain]: { enabled } })],
    ['a map of words', (domain, enabled) => ({ [domain.toUpperCase()]: enabled ? 'on' : 'off' })],
    ['a map of numbers', (domain, enabled) => ({ [domain]: enabled ? 1 : 0 })],
    ['a map with numbers as keys', (domain, enabled) => ({ 0: { domain, enabled } })],
  ])('are found afterwards in %s', async (_, shown) => {
    const { answers } = platform(
      (detection, { enabled, domains = [] }) => ({ ...detection, domainOverrides: shown(domains[0] ?? '', enabled) }),
      both(),
    )
    expect(await outputOf('update_mailsec_detections', input, answers)).toMatchObject({ ok: true, all_done: true, done: 2 })
  })

  test('that are missing afterwards count as failed', async () => {
    const { answers } = platform(
      (detection) => (detection.id === 'd' ? detection : { ...detection, domainOverrides: { 'acme.example': false } }),
      both(),
    )
    expect(await outputOf('update_mailsec_detections', input, answers)).toMatchObject({
      ok: false,
      code: 'items_failed',
      results: [
        { id: 'd', status: 'failed', error: { code: 'not_applied' } },
        { id: 'e', status: 'done' },
      ],
    })
  })

  test.each<[string, Json | undefined]>([
    ['missing', undefined],
    ['null', null],
    ['a text', 'acme.example'],
    ['a list of texts', ['acme.example']],
    ['a count', 1],
    ['lists', [['acme.example', false]]],
    ['unknown states', { 'acme.example': 'sometimes' }],
    ['a wrapped list', { items: [{ domain: 'acme.example', enabled: false }] }],
    ['a list with one unreadable item', [{ domain: 'other.example', enabled: true }, 'acme.example']],
  ])('that cannot be read afterwards count as done, because the default has not changed: %s', async (_, shown) => {
    const { answers } = platform(
      ({ domainOverrides: __, ...detection }) => ({ ...detection, ...(shown !== undefined && { domainOverrides: shown }) }),
      both(),
    )
    expect(await outputOf('update_mailsec_detections', input, answers)).toMatchObject({ ok: true, all_done: true, done: 2 })
  })

  test('are unknown if neither they nor the default can be read afterwards', async () => {
    const { answers } = platform(({ id }) => ({ id, enabled: 'sometimes' }), both())
    expect(await outputOf('update_mailsec_detections', input, answers)).toMatchObject({ ok: false, code: 'items_failed', unknown: 2 })
  })

  test('are not sent if the listing of detections breaks off', async () => {
    const body = { items: [{ id: 'd', enabled: true }], meta: { hasMore: true, nextCursor: null } }
    const { result, sent } = await call('update_mailsec_detections', input, () => ({ body }))
    expect(result).toMatchObject({ ok: false, effect: 'refused', failure: { code: 'paging_endless' } })
    expect(sent).toHaveLength(1)
  })

  test.each<[string, readonly Detection[]]>([
    ['enabled', both()],
    ['status', ['d', 'e'].map((id) => ({ id, status: 'enabled' }))],
  ])('if the platform ignores domains, the default is restored and the call fails: shown as %s', async (name, first) => {
    const { standing, answers } = platform(
      (detection, { enabled }) => ({ ...detection, [name]: name === 'enabled' ? enabled : enabled ? 'enabled' : 'disabled' }),
      first,
    )
    const { result, sent } = await call('update_mailsec_detections', input, answers)
    expect(result).toMatchObject({
      ok: false,
      effect: 'done',
      failure: { code: 'domains_ignored', message: expect.stringContaining('The platform changed the global default of d, e. Tocsin restored it.') },
    })
    expect([...standing.values()].slice(0, 2)).toEqual(first)
    expect(sent.filter(({ method }) => method === 'PATCH').map(({ body }) => body)).toEqual([
      { ids: ['d', 'e'], enabled: false, domains: ['Acme.example'] },
      { ids: ['d', 'e'], enabled: true },
    ])
  })

  test('only changed defaults are restored, and those that cannot be restored are named', async () => {
    let changes = 0
    const first: readonly Detection[] = [
      { id: 'd', enabled: false, domainOverrides: [] },
      { id: 'e', enabled: true, domainOverrides: [] },
    ]
    const { answers } = platform((detection, { enabled }) => (++changes <= 2 ? { ...detection, enabled } : detection), first)
    const { result, sent } = await call('update_mailsec_detections', input, answers)
    expect(sent.filter(({ method }) => method === 'PATCH').at(-1)?.body).toEqual({ ids: ['e'], enabled: true })
    expect(result).toMatchObject({ failure: { code: 'domains_ignored', message: expect.stringContaining('Tocsin could not restore it for e.') } })
  })

  test.each<[string, Answered]>([
    ['refused', { status: 403, body: {} }],
    ['answered but cannot be checked', { status: 200, body: {} }],
  ])('a changed default is reported if restoring it is %s', async (_, second) => {
    const { answers } = platform((detection, { enabled }) => ({ ...detection, enabled }), both())
    let [writes, looks] = [0, 0]
    const { result } = await call('update_mailsec_detections', input, (request, number) => {
      if (request.method === 'PATCH' && ++writes > 1) return second
      if (request.method === 'GET' && ++looks > 2) return { status: 403, body: {} }
      return answers(request, number)
    })
    expect(result).toMatchObject({
      ok: false,
      effect: 'done',
      failure: { code: 'domains_ignored', message: expect.stringContaining('Tocsin could not restore it for d, e') },
    })
  })

  test('a changed default is reported if the answer to restoring it is lost', async () => {
    const { answers } = platform((detection, { enabled }) => (detection.id === 'd' ? { ...detection, enabled } : detection), both())
    let writes = 0
    const { result } = await call('update_mailsec_detections', input, (request, number) =>
      request.method === 'PATCH' && ++writes > 1 ? null : answers(request, number),
    )
    expect(result).toMatchObject({
      ok: false,
      effect: 'unknown',
      failure: { code: 'network' },
      output: { results: [{ id: 'd', status: 'failed', error: { code: 'domains_ignored' } }, { id: 'e' }], all_done: false },
    })
  })

  test('are not sent if the current default is not known', async () => {
    for (const first of [both({ enabled: null }), both({ enabled: 'sometimes' }), [{ id: 'd', enabled: true }]]) {
      const { answers } = platform((detection) => detection, first)
      const { result, sent } = await call('update_mailsec_detections', input, answers)
      expect(result).toMatchObject({ ok: false, effect: 'refused', failure: { code: 'default_not_known' } })
      expect(sent.every(({ method }) => method === 'GET')).toBe(true)
    }
  })

  test('are unknown if the detections cannot be read afterwards', async () => {
    let looks = 0
    const { answers } = platform((detection) => detection, both())
    const { result } = await call('update_mailsec_detections', input, (request, number) =>
      request.method === 'GET' && ++looks > 1 ? { status: 403, body: {} } : answers(request, number),
    )
    expect(result).toMatchObject({ ok: false, effect: 'done', failure: { code: 'items_failed' }, output: { detections: null, unknown: 2 } })
  })
})

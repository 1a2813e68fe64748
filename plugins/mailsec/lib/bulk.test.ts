import { expect, test } from 'vitest'
import { type Operation, type OperationResult, requested, sendInRequests } from './bulk.ts'

const many = (count: number): readonly Operation[] =>
  Array.from({ length: count }, (_, number) => ({ operation: 'create', kind: 'domain', value: `d${number}.example` }))
const succeeded = (operations: readonly object[]): unknown => operations.map((_, at) => ({ status: 'succeeded', id: `ent.${at}` }))
const refusal = (status: number | null, code: string): Error => Object.assign(new Error(`the platform says ${code}`), { code, status })

const countsOf = (results: readonly OperationResult[]): Readonly<Record<OperationResult['status'], number>> => {
  const count = (status: OperationResult['status']): number => results.filter((result) => result.status === status).length
  return { done: count('done'), failed: count('failed'), not_sent: count('not_sent'), unknown: count('unknown') }
}

/** Answers each request with the next answer. An Error is thrown. */
async function run(operations: readonly Operation[], answers: readonly (Error | ((operations: readonly object[]) => unknown))[]) {
  const sent: number[] = []
  const told: number[] = []
  const send = async (part: readonly object[]): Promise<unknown> => {
    const answer = answers[sent.push(part.length) - 1]
    if (answer === undefined || answer instanceof Error) throw answer ?? new Error('no more answers')
    return answer(part)
  }
  const results: readonly OperationResult[] = await sendInRequests(operations, send, (known) => told.push(known.length))
  return { results, sent, told }
}

test('sends only the fields that an operation has', () => {
  expect(requested({ operation: 'update', entity_id: 'e', enabled: false, detection_settings: { skip: [] } })).toEqual({
    operation: 'update',
    id: 'e',
    enabled: false,
    detectionSettings: { skip: [] },
  })
})

test.each([
  [1, [1]],
  [200, [200]],
  [201, [200, 1]],
  [600, [200, 200, 200]],
])('sends %i operations in requests of %j, and returns each result in the given order', async (count, requests) => {
  const { results, sent, told } = await run(
    many(count),
    requests.map(() => succeeded),
  )
  expect(sent).toEqual(requests)
  expect(results.map(({ index, value, status }) => [index, value, status])).toEqual(many(count).map(({ value }, at) => [at, value, 'done']))
  expect(told.at(-1)).toBe(count)
})

test("a failed operation has the platform's words, and a successful one its id", async () => {
  const operations: readonly Operation[] = [...many(1), { operation: 'delete', entity_id: 'sys' }]
  const answer = (): unknown => [
    { status: 'succeeded', id: 'ent.1' },
    { status: 'failed', id: 'sys', error: { code: 'system_managed', message: 'It cannot be deleted.' } },
  ]
  expect((await run(operations, [answer])).results).toEqual([
    { index: 0, operation: 'create', status: 'done', entity_id: 'ent.1', value: 'd0.example', target: 'd0.example', error: null },
    {
      index: 1,
      operation: 'delete',
      status: 'failed',
      entity_id: 'sys',
      value: null,
      target: 'sys',
      error: { code: 'system_managed', message: 'It cannot be deleted.' },
    },
  ])
})

test.each<[string, unknown]>([
  [
    'a word of its own',
    {
      results: [
        { status: 'ok', id: 'a' },
        { status: 'ERROR', error: 'It is not known.' },
      ],
    },
  ],
  [
    'success',
    {
      items: [
        { success: true, id: 'a' },
        { success: false, message: 'It is not known.' },
      ],
    },
  ],
  [
    'a status of HTTP',
    {
      operations: [
        { status: 201, id: 'a' },
        { status: 404, error: { message: 'It is not known.' } },
      ],
    },
  ],
])('reads the outcome of an operation from %s', async (_, answer) => {
  const { results } = await run(many(2), [() => answer])
  expect(results).toMatchObject([
    { status: 'done', entity_id: 'a', error: null },
    { status: 'failed', error: { code: 'failed', message: 'It is not known.' } },
  ])
})

test.each([{ status: 'succeeded', success: false }, { status: 'succeeded', error: { message: 'no' } }, {}, { status: null }])(
  'a result that contradicts itself, or says nothing, leaves it unknown: %j',
  async (answer) => {
    expect((await run(many(1), [() => [answer]])).results).toMatchObject([{ status: 'unknown', error: { code: 'no_result' } }])
  },
)

test('if a request is refused for its content, its operations fail and the next request is sent', async () => {
  const { results, sent } = await run(many(450), [succeeded, refusal(400, 'request_rejected'), succeeded])
  expect(sent).toEqual([200, 200, 50])
  expect(countsOf(results)).toEqual({ done: 250, failed: 200, not_sent: 0, unknown: 0 })
  expect(results[200]).toMatchObject({
    index: 200,
    status: 'failed',
    error: { code: 'request_rejected', message: 'the platform says request_rejected' },
  })
})

test.each([
  [403, 'role_insufficient'],
  [429, 'rate_limited'],
  [null, 'network'],
])('sends nothing more after a failure that would also hit the next request: %s %s', async (status, code) => {
  const { results, sent } = await run(many(450), [succeeded, refusal(status, code)])
  expect(sent).toEqual([200, 200])
  expect(countsOf(results)).toEqual({ done: 200, failed: 0, not_sent: 250, unknown: 0 })
  expect(results.at(-1)).toMatchObject({ index: 449, status: 'not_sent', error: { code } })
})

test('if no request succeeded, the call fails with the first reason', async () => {
  await expect(run(many(450), [refusal(403, 'role_insufficient')])).rejects.toMatchObject({ code: 'role_insufficient' })
  await expect(run(many(250), [refusal(400, 'request_rejected'), refusal(429, 'rate_limited')])).rejects.toMatchObject({ code: 'request_rejected' })
})

test('passes on errors that are not refusals', async () => {
  await expect(run(many(250), [succeeded, new TypeError('a bug')])).rejects.toThrow('a bug')
})

test.each([
  ['too few results', (): unknown => [{ status: 'succeeded', id: 'a' }]],
  ['no list', (): unknown => ({})],
  ['words that are not known', (operations: readonly object[]): unknown => operations.map(() => ({ status: 'maybe' }))],
])('an operation is unknown if the answer does not say how it ended: %s', async (_, answer) => {
  const { results } = await run(many(2), [answer])
  expect(results.map(({ status, error }) => [status, error?.code])).toEqual([
    ['unknown', 'no_result'],
    ['unknown', 'no_result'],
  ])
})

test('matches results in another order by the names in them', async () => {
  const operations: readonly Operation[] = [{ operation: 'delete', entity_id: 'a' }, { operation: 'delete', entity_id: 'b' }, ...many(1)]
  const answer = (): unknown => [
    { status: 'failed', id: 'b', error: { code: 'system_managed', message: 'No.' } },
    { status: 'succeeded', id: 'new', value: 'D0.example' },
    { status: 'succeeded', id: 'a' },
  ]
  const { results } = await run(operations, [answer])
  expect(results.map(({ target, status, entity_id }) => [target, status, entity_id])).toEqual([
    ['a', 'done', 'a'],
    ['b', 'failed', 'b'],
    ['d0.example', 'done', 'new'],
  ])
})

test('an answer that names none of the items leaves them unknown', async () => {
  const { results } = await run([{ operation: 'delete', entity_id: 'a' }], [() => [{ status: 'succeeded', id: 'z' }]])
  expect(results).toMatchObject([{ target: 'a', status: 'unknown' }])
})

test('if the answer shows the entity, its own fields decide', async () => {
  const entity = { id: 'a', kind: 'domain', value: 'a.example', status: 'disabled', enabled: false }
  const of = async (operation: Operation, result: unknown): Promise<unknown> =>
    (await run([operation], [() => ({ items: [result] })])).results[0]?.status
  expect(await of({ operation: 'update', entity_id: 'a', enabled: false }, entity)).toBe('done')
  expect(await of({ operation: 'update', entity_id: 'a', enabled: true }, entity)).toBe('unknown')
  expect(await of({ operation: 'create', kind: 'domain', value: 'a.example' }, { entity })).toBe('done')
  expect(await of({ operation: 'delete', entity_id: 'a' }, entity)).toBe('unknown')
  expect(await of({ operation: 'update', entity_id: 'a', enabled: false }, { ...entity, error: { message: 'no' } })).toBe('failed')
})

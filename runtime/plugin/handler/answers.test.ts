import { afterAll, describe, expect, test } from 'vitest'
import { answerOf } from '../testing.ts'
import { removeWritten, run } from './fixture.ts'

afterAll(removeWritten)

describe('a value that is not exactly text or JSON', () => {
  const picture = { ...answerOf(200, '', { 'content-type': 'image/png' }), fault: 'The answer is image/png.' }

  test('accessing a body that could not be read throws the reason', async () => {
    const { result } = await run("const { body } = await http.get('/picture'); return { n: body.length }", [picture])
    expect(result).toMatchObject({ ok: false, failure: { code: 'answer_not_understood', vendor: { status: 200 } } })
    const told = await run("try { (await http.get('/picture')).body } catch ({ code, message }) { return { code, message } }", [picture])
    expect(told.result).toMatchObject({ output: { code: 'answer_not_understood', message: 'The answer is image/png.' } })
    const handed = await run("return { answer: await http.get('/picture') }", [picture])
    expect(handed.result).toMatchObject({ ok: false, failure: { code: 'answer_not_understood' } })
  })

  test('a handler that only needs the status gets no error', async () => {
    const { result } = await run("const { status } = await http.get('/picture'); return { n: status }", [picture])
    expect(result).toMatchObject({ ok: true, output: { n: 200 } })
  })

  test('a write whose answer cannot be read counts as done', async () => {
    const { result } = await run("return { n: (await http.post('/a', {})).body.n }", [picture], { impact: 'write' })
    expect(result).toMatchObject({ ok: false, effect: 'done', failure: { code: 'answer_not_understood' }, requests: [{ status: 200 }] })
  })

  test('a write that counts as done by its status alone has a warning', async () => {
    const { result } = await run("return { n: (await http.post('/a', {})).status }", [picture], { impact: 'write' })
    expect(result).toMatchObject({ ok: true, warnings: ['only the status of the answer was read: The answer is image/png.'] })
  })

  test('a page that cannot be read does not count as an empty page', async () => {
    const { result } = await run("return { all: await http.getAll('/a', { paginate: 'manifest' }) }", [picture])
    expect(result).toMatchObject({ ok: false, failure: { code: 'answer_not_understood', message: 'The answer is image/png.' } })
  })

  test.each([
    ["{ user: http.get('/a') }", '`user` of what the handler asks for is a promise; `await` it.'],
    ['{ ids: new Set([1]) }', '`ids` of what the handler asks for is a Set'],
    ['{ ids: new Map([[1, 2]]) }', 'is a Map'],
    ['new Uint8Array([1, 2])', 'is bytes'],
    ['{ n: 1 / 0 }', '`n` of what the handler asks for is Infinity'],
    ['{ n: Number(undefined) }', 'is NaN'],
    ['{ when: new Date(Number.NaN) }', '`when` of what the handler asks for is an invalid date'],
    ['{ list: [undefined] }', 'is undefined, in a list'],
    ['{ f: () => 1 }', '`f` of what the handler asks for is a function'],
  ])('the body %s is refused', async (body, words) => {
    const { result, sent } = await run(`await http.post('/b', ${body}); return {}`, [answerOf(200, {})])
    expect(result).toMatchObject({ ok: false, failure: { code: 'handler_failed', message: expect.stringContaining(words) } })
    expect(sent.filter(({ method }) => method === 'POST')).toEqual([])
  })

  test('an output that JSON cannot represent is refused, but dates and undefined fields are not', async () => {
    expect((await run('return { n: new Map() }')).result).toMatchObject({
      ok: false,
      failure: { message: expect.stringContaining('`n` of the output is a Map') },
    })
    const { result } = await run('return { at: new Date(0), none: undefined }')
    expect(result).toMatchObject({ ok: true, output: { at: '1970-01-01T00:00:00.000Z' } })
  })
})

describe('streams', () => {
  const csv = ['\ufeff"ID","NAME"', ...Array.from({ length: 1_200 }, (_, at) => `"${at}","a ""quoted"" name, ${at}"`)].join('\r\n')

  test('CSV arrives as batches of rows, with the names of its first line', async () => {
    const { result } = await run(
      "const sizes = []; let last; for await (const rows of stream.csv('/f')) { sizes.push(rows.length); last = rows.at(-1) } return { sizes, last }",
      [answerOf(200, csv, { 'content-type': 'text/csv' })],
    )
    expect(result).toEqual({ ok: true, output: { sizes: [500, 500, 200], last: { ID: '1199', NAME: 'a "quoted" name, 1199' } } })
  })

  test('rows have their own members, whatever these are called and whatever a handler does to all objects', async () => {
    const body = `Object.defineProperty(Object.prototype, 'ID', { set() { throw new Error('mine') }, get: () => 'mine' })
      const all = []; for await (const rows of stream.csv('/f')) all.push(...rows)
      return { all, own: all.map((row) => Object.keys(row).join()), proto: Object.hasOwn(all[0], '__proto__') && all[0]['__proto__'] }`
    const { result } = await run(body, [answerOf(200, 'ID,__proto__\n1,2\n3,"4"\n', { 'content-type': 'text/csv' })])
    const all = [JSON.parse('{"ID":"1","__proto__":"2"}'), JSON.parse('{"ID":"3","__proto__":"4"}')]
    expect(result).toEqual({ ok: true, output: { all, own: ['ID,__proto__', 'ID,__proto__'], proto: '2' } })
  })

  test('a web page instead of rows is an error', async () => {
    const page = answerOf(200, '<!doctype html><html><title>Sign in</title></html>', { 'content-type': 'text/html; charset=utf-8' })
    const { result } = await run("for await (const rows of stream.csv('/f')); return {}", [page])
    expect(result).toMatchObject({ ok: false, effect: 'refused', failure: { code: 'answer_not_understood', vendor: { status: 200 } } })
  })

  test('JSON lines keep all digits of their integers', async () => {
    const { result } = await run("const all = []; for await (const rows of stream.jsonl('/f')) all.push(...rows); return { all }", [
      answerOf(200, '{"id":9007199254740993}\n\n{"id":"é"}', { 'content-type': 'text/plain' }),
    ])
    expect(result).toEqual({ ok: true, output: { all: [{ id: '9007199254740993' }, { id: 'é' }] } })
  })

  test.each([
    ['csv', '"a","b"\n"1"', 'The answer is not valid CSV'],
    ['csv', '{"a":1}', 'The answer is not valid CSV'],
    ['jsonl', `${'['.repeat(300)}${']'.repeat(300)}`, 'nested deeper'],
    ['jsonl', '{"a":1}\n{"a":', 'Line 2 of the answer is not valid JSON'],
  ])('what is no %s fails the call with where it broke', async (format, text, message) => {
    const { result } = await run(`for await (const rows of stream.${format}('/f')); return {}`, [answerOf(200, text, { 'content-type': 'text/csv' })])
    expect(result).toMatchObject({ ok: false, failure: { code: 'answer_not_understood', message: expect.stringContaining(message) } })
  })

  test("the manifest's rows explain an unsuccessful answer", async () => {
    const { result } = await run("for await (const rows of stream.csv('/f')); return {}", [answerOf(409, { message: 'wait' })])
    expect(result).toMatchObject({ ok: false, failure: { code: 'busy' } })
  })

  test('are not for skills that write', async () => {
    const { result, sent } = await run("for await (const rows of stream.csv('/f')); return {}", [answerOf(200, '')], { impact: 'write' })
    expect(result).toMatchObject({ ok: false, failure: { code: 'handler_failed' } })
    expect(sent).toEqual([])
  })
})

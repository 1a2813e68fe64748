import { expect, test } from 'vitest'
import { noTurns, type Turns } from '../fairness/index.ts'
import { readAnswer } from './answers.ts'
import { createScrub } from './scrub.ts'

const json = { 'content-type': 'application/json' }
const reading = { turns: noTurns, tenant: 'acme' }
const scrub = createScrub(['canary-secret'])

function answer(text: string | Uint8Array, headers: Record<string, string> = json, status = 200) {
  return { status, headers, body: typeof text === 'string' ? Buffer.from(text) : text }
}

function counting(): Turns & { taken: number } {
  return {
    taken: 0,
    next() {
      this.taken += 1
      return null
    },
  }
}

const row = '{"id":"12345678901234567890","note":"canary-secret \\u0063anary-secret","n":12345678901234567890}'

test('a large answer is read in turns, exactly and without secrets, as a small one is', async () => {
  const turns = counting()
  const rows = 20_000
  const read = await readAnswer(answer(`{"rows":[${`${row},`.repeat(rows - 1)}${row}]}`), scrub, { turns, tenant: 'acme' })
  const small = await readAnswer(answer(`{"rows":[${row}]}`), scrub, reading)
  const [expected] = (small.body as { rows: readonly unknown[] }).rows
  expect(expected).toEqual({ id: '12345678901234567890', note: '[secret] [secret]', n: '12345678901234567890' })
  const { rows: found } = read.body as { rows: readonly unknown[] }
  expect(found).toHaveLength(rows)
  expect(found.at(-1)).toEqual(expected)
  expect(turns.taken).toBeGreaterThan(50)
})

test('a secret is taken out of a long text wherever it stands', async () => {
  for (const at of [0, 65_530, 65_536, 131_060, 199_990]) {
    const text = `${'x'.repeat(at)}canary-secret${'y'.repeat(200_000 - at)}`
    for (const [body, headers] of [
      [JSON.stringify({ text }), json],
      [text, { 'content-type': 'text/csv' }],
    ] as const)
      expect(JSON.stringify((await readAnswer(answer(body, headers), scrub, reading)).body)).toContain(`${'x'.repeat(Math.min(at, 10))}[secret]y`)
  }
})

test.each([
  ['levels', '['.repeat(300) + ']'.repeat(300), '200 objects or lists inside one another'],
  ['values', `[${'0,'.repeat(1_000_000)}0]`, '1,000,000 values'],
  ['fields', `{${Array.from({ length: 20_001 }, (_, at) => `"k${at}":0`).join(',')}}`, '20,000 fields'],
])('an answer with too many %s is not read, and says why', async (_what, text, words) => {
  expect(await readAnswer(answer(text), scrub, reading)).toMatchObject({ body: '', fault: expect.stringContaining(words) })
})

test('an answer that comes compressed, unasked, says so', async () => {
  const read = await readAnswer(answer(Buffer.alloc(100, 0x1f), { ...json, 'content-encoding': 'gzip' }), scrub, reading)
  expect(read).toMatchObject({ body: '', fault: expect.stringContaining('compressed') })
})

test("of a failure's page the beginning is kept, of a failure's JSON everything", async () => {
  const page = await readAnswer(answer(`<html>${'<p>'.repeat(1_000_000)}`, { 'content-type': 'text/html' }, 500), scrub, reading)
  expect(String(page.body).length).toBeLessThan(70_000)
  const told = await readAnswer(answer(`{"rows":[${'1,'.repeat(100_000)}1]}`, json, 400), scrub, reading)
  expect((told.body as { rows: readonly unknown[] }).rows).toHaveLength(100_001)
})

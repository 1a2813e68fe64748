import { expect, test } from 'vitest'
import { noTurns, type Turns } from '../../fairness/index.ts'
import { readAnswer } from './read-answer.ts'
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

test('a large answer is read in turns, exactly and without secrets, like a small one', async () => {
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

test('a secret is removed from a long text wherever it is', async () => {
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

test('an answer that says that it is JSON may be empty', async () => {
  const read = await readAnswer(answer('', json), scrub, reading)
  expect(read).toMatchObject({ body: '' })
  expect(read).not.toHaveProperty('fault')
})

test('reports an answer that is compressed without being asked', async () => {
  const read = await readAnswer(answer(Buffer.alloc(100, 0x1f), { ...json, 'content-encoding': 'gzip' }), scrub, reading)
  expect(read).toMatchObject({ body: '', fault: expect.stringContaining('compressed') })
})

test('the beginning of an error page is kept, and all of an error in JSON', async () => {
  const page = await readAnswer(answer(`<html>${'<p>'.repeat(1_000_000)}`, { 'content-type': 'text/html' }, 500), scrub, reading)
  expect(String(page.body).length).toBeLessThan(70_000)
  const told = await readAnswer(answer(`{"rows":[${'1,'.repeat(100_000)}1]}`, json, 400), scrub, reading)
  expect((told.body as { rows: readonly unknown[] }).rows).toHaveLength(100_001)
})

test.each([
  ['plain', (secret: string) => secret],
  ['in hexadecimal', (secret: string) => Buffer.from(secret).toString('hex')],
  ['with an entity', (secret: string) => secret.replace('-', '&#x002d;')],
])('a secret across the end of what is kept of an error page leaves no part behind: %s', async (_how, written) => {
  const form = written('canary-secret')
  for (const charset of ['utf-8', 'utf-16le']) {
    const wide = charset === 'utf-16le'
    const encoded = (text: string): Buffer => (wide ? utf16(`\ufeff${text}`) : Buffer.from(text))
    // Secrets earlier in the page make it shorter, which must not move its end.
    const [start, before] = [`<html>${form.repeat(100)}`, wide ? 32_767 : 65_536]
    for (let cut = 1; cut < form.length; cut += 1) {
      const page = encoded(`${start}${'x'.repeat(before - start.length - cut)}${form}${'y'.repeat(100_000)}`)
      const { body } = await readAnswer(answer(page, { 'content-type': 'text/html' }, 500), scrub, reading)
      expect(body).toMatch(/^<html>(\[secret\])+x+\[secret\]$/)
    }
  }
})

const plain = (charset: string): Record<string, string> => ({ 'content-type': `text/plain; charset=${charset}` })
const utf16 = (text: string): Buffer => Buffer.from(text, 'utf16le')

test.each<[string, Uint8Array | string, Record<string, string>, unknown]>([
  ['UTF-8', 'naïve 日本', { 'content-type': 'text/plain' }, 'naïve 日本'],
  ['Latin-1, which the content type names', Buffer.from('naïve', 'latin1'), plain('ISO-8859-1'), 'naïve'],
  ['Windows-1252', Buffer.from([0x93, 0x80, 0x94]), plain('"windows-1252"'), '“€”'],
  ['Shift JIS', Buffer.from([0x93, 0xfa]), plain('Shift_JIS'), '日'],
  ['UTF-16 with a mark', Buffer.concat([Buffer.from([0xff, 0xfe]), utf16('日')]), { 'content-type': 'text/plain' }, '日'],
  ['JSON in UTF-16 with a mark', Buffer.concat([Buffer.from([0xff, 0xfe]), utf16('{"a":"日"}')]), json, { a: '日' }],
  ['JSON with a mark', `\ufeff{"a":1}`, json, { a: 1 }],
  ['JSON in Latin-1', Buffer.from('{"a":"é"}', 'latin1'), { 'content-type': 'application/json;charset=ISO-8859-1' }, { a: 'é' }],
  ['a long text whose characters are divided', '日'.repeat(200_000), { 'content-type': 'text/plain' }, '日'.repeat(200_000)],
  ['a text without a content type', 'é', {}, 'é'],
])('%s is read exactly', async (_what, body, headers, expected) => {
  expect(await readAnswer(answer(body, headers), scrub, reading)).toMatchObject({ body: expected })
})

const png = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')

test.each<[string, Uint8Array, Record<string, string>, string]>([
  ['a picture', png, { 'content-type': 'image/png' }, 'The answer is image/png and has bytes that are not valid in utf-8.'],
  ['a picture that says nothing', png, {}, 'has no content type'],
  ['a picture that begins like UTF-16', Buffer.from([0xff, 0xfe, 0x41, 0x00]), { 'content-type': 'image/x-raw' }, 'not valid'],
  ['JSON in Latin-1 that does not say so', Buffer.from('{"a":"é"}', 'latin1'), json, 'not valid in utf-8'],
  ['a text that ends within a character', Buffer.from('日').subarray(0, 2), { 'content-type': 'text/plain' }, 'not valid'],
  ['half of a character in UTF-16', Buffer.from([0xff, 0xfe, 0x00, 0xd8]), { 'content-type': 'text/plain' }, 'not valid in utf-16le'],
  ['UTF-32', Buffer.from([0xff, 0xfe, 0, 0, 0x41, 0, 0, 0]), { 'content-type': 'text/plain' }, 'UTF-32'],
  ['an unknown charset', Buffer.from('a'), plain('klingon'), 'its charset `klingon` is not known'],
  ['UTF-16 without a byte order mark', utf16('a'), plain('utf-16'), 'without a byte order mark'],
])('%s is not read, and says why', async (_what, body, headers, words) => {
  expect(await readAnswer(answer(body, headers), scrub, reading)).toMatchObject({ body: '', fault: expect.stringContaining(words) })
})

test.each([
  ['compression', { ...json, 'content-encoding': 'canary-secret' }],
  ['charset', plain('canary-secret')],
  ['charset, at the end of what is shown', plain(`${'x'.repeat(35)}canary-secret`)],
  ['content type', { 'content-type': 'image/canary-secret' }],
])('why an answer is not read has no secret that its %s repeats', async (_what, headers) => {
  const { fault } = await readAnswer(answer(png, headers), scrub, reading)
  expect(fault).toMatch(/compressed|charset|valid/)
  expect(fault).not.toContain('canar')
})

test('the code of a refusal is read even if its body cannot be read exactly', async () => {
  const read = await readAnswer(answer(Buffer.from('{"code":"NO_SUCH_USER","user":"José"}', 'latin1'), json, 404), scrub, reading)
  expect(read).toMatchObject({ body: { code: 'NO_SUCH_USER' }, fault: expect.stringContaining('not valid') })
})

test('the kept beginning of an error page may end in the middle of a character', async () => {
  const read = await readAnswer(answer(`<html>${'日'.repeat(100_000)}`, { 'content-type': 'text/html' }, 502), scrub, reading)
  expect(read).not.toHaveProperty('fault')
  expect(String(read.body)).toMatch(/^<html>日+$/)
})

test('a secret in UTF-16 is removed', async () => {
  const body = Buffer.concat([Buffer.from([0xff, 0xfe]), utf16('is canary-secret.')])
  expect(await readAnswer(answer(body, { 'content-type': 'text/plain' }), scrub, reading)).toMatchObject({ body: 'is [secret].' })
})

test('JSON that was cut off is not read as text; a JSON string, JSON lines and a refusal are', async () => {
  expect(await readAnswer(answer('{"n":1'), scrub, reading)).toMatchObject({ fault: expect.stringContaining('cut') })
  expect(await readAnswer(answer('"{\\"n\\":1}"'), scrub, reading)).toEqual({ status: 200, headers: json, body: '{"n":1}' })
  expect(await readAnswer(answer('{"n":1}\n{"n":2}', { 'content-type': 'application/x-ndjson' }), scrub, reading)).not.toHaveProperty('fault')
  expect(await readAnswer(answer('{"n":1', json, 500), scrub, reading)).toEqual({ status: 500, headers: json, body: '{"n":1' })
})

test('the first field that appears twice in an answer is named, in short and long answers', async () => {
  const twice = '{"id":"b","state":"active","state":"suspended"}'
  const short = await readAnswer(answer(`{"rows":[{"id":"a"},${twice}]}`), scrub, reading)
  expect(short).toMatchObject({ body: { rows: [{ id: 'a' }, { state: 'suspended' }] }, repeated: 'rows.*.state' })
  const long = await readAnswer(answer(`{"rows":[${'{"id":"a"},'.repeat(20_000)}${twice}]}`), scrub, reading)
  expect(long.repeated).toBe('rows.*.state')
  const far = await readAnswer(answer(`{"next":"a","rows":[${'{"id":"a"},'.repeat(20_000)}${row}],"next":"b"}`), scrub, reading)
  expect([far.repeated, (far.body as { next: string }).next]).toEqual(['next', 'b'])
})

test('the name of a repeated field is scrubbed and shortened; two names that only look alike after scrubbing are not a repeated field', async () => {
  const name = `canary-secret${'n'.repeat(500)}`
  const { repeated } = await readAnswer(answer(`{"${name}":1,"${name}":2}`), scrub, reading)
  expect(repeated).toMatch(/^\[secret\]n{192}…$/)
  const two = createScrub(['canary-one', 'canary-two'])
  expect((await readAnswer(answer('{"canary-one":1,"canary-two":2}'), two, reading)).repeated).toBeUndefined()
})

test.each([{ 'content-encoding': 'gzip' }, { 'content-type': 'application/json; charset=utf-16' }, { 'content-type': 'text/plain; charset=none' }])(
  'an answer without a body is understood, whatever it declares: %j',
  async (headers) => {
    expect(await readAnswer(answer('', headers, 204), scrub, reading)).toEqual({ status: 204, headers, body: '' })
  },
)

import { expect, test } from 'vitest'
import { noTurns } from '../../fairness/index.ts'
import { createScrub, scrubFor } from './scrub.ts'

const secret = 'canary/Se+cret "ü" <&>'
const scrub = createScrub([secret])
const bytes = Buffer.from(secret)

test.each([
  ['plain', secret],
  ['JSON', JSON.stringify({ token: secret })],
  ['JSON in ASCII', JSON.stringify(secret).replace('ü', '\\u00fc')],
  ['JSON with escaped slashes', JSON.stringify(secret).replace('/', '\\/')],
  ['JSON in JSON', JSON.stringify(JSON.stringify({ token: secret }))],
  ['URL', `?token=${encodeURIComponent(secret)}`],
  ['URL in lower case', `?token=${encodeURIComponent(secret).replaceAll(/%../g, (code) => code.toLowerCase())}`],
  ['a form', new URLSearchParams({ token: secret }).toString()],
  ['every byte escaped', [...bytes].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('')],
  ['Base64', bytes.toString('base64')],
  ['Base64url', bytes.toString('base64url')],
  ['hexadecimal', bytes.toString('hex')],
  ['HTML', secret.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')],
])('%s', (_name, text) => {
  const clean = scrub.text(`before ${text} after`)
  expect(clean).toContain('[secret]')
  expect(clean).toMatch(/^before .* after$/)
  expect(clean).not.toContain('anary')
  expect(clean).not.toContain(bytes.toString('base64').slice(4, 12))
})

/** How a few frameworks escape, by the characters that they escape. */
const hex = (char: string): string => char.charCodeAt(0).toString(16).padStart(4, '0')
const go = (text: string): string =>
  text.replace(/[&<>"'+]/g, (char) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&#34;', "'": '&#39;', '+': '&#43;' })[char] ?? char)
const mustache = (text: string): string =>
  text.replace(/[&<>"'/=`]/g, (char) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[char] ?? `&#x${hex(char).replace(/^0+/, '')};`)
const dotNet = (text: string): string => text.replace(/[^A-Za-z0-9/ ]/g, (char) => `\\u${hex(char).toUpperCase()}`)
const inUrl = (text: string): string => encodeURIComponent(text)

test.each([
  ['Go, HTML', go],
  ['Mustache', mustache],
  ['.NET, JSON in a text', dotNet],
  ['JavaScript', (text: string) => text.replace(/[^A-Za-z0-9]/g, (char) => `\\x${hex(char).slice(2)}`)],
  ['JSON in JSON in JSON', (text: string) => JSON.stringify(JSON.stringify(JSON.stringify(text)))],
  ['a URL in a URL', (text: string) => inUrl(inUrl(text))],
  ['a URL in a URL in a page', (text: string) => go(inUrl(inUrl(text)))],
  ['a URL in JSON in a page', (text: string) => mustache(JSON.stringify(inUrl(text)))],
  ['a page that was escaped again', (text: string) => mustache(mustache(text))],
  ['only some characters', (text: string) => text.replace('+', '%2B').replace('<', '&lt;')],
])('escaped as by %s', async (_name, written) => {
  const token = 'canary+se/cret==<&"\'>\u00fc%2Bend'
  const scrub = createScrub([token, 'another'])
  for (const text of [written(token), `before ${written(token)} after ${written(token)}.`]) {
    expect(scrub.text(text)).toContain('[secret]')
    expect(scrub.text(text)).not.toMatch(/canary|2Bend|Bend/)
    expect(scrub.json({ text: [text] }, JSON.stringify({ text: [text] }))).toEqual({ text: [scrub.text(text)] })
    const long = `${'x'.repeat(65_530)}${text}`
    expect(await scrub.longText(long, noTurns, 'acme')).toBe(scrub.text(long))
  }
})

test('text that resembles an escaped secret stays as it is', () => {
  expect(createScrub(['%41']).text('A and %41 and A')).toBe('A and [secret] and A')
  expect(createScrub(['canary+12']).text('canary-12 %2B canary&#45;12 canary\\n12')).toBe('canary-12 %2B canary&#45;12 canary\\n12')
  const long = `canary ${'%25'.repeat(50_000)}${'\\'.repeat(50_000)}${'&amp;'.repeat(50_000)}`
  expect(createScrub(['canary%\\&1']).text(long)).toBe(long)
})

test.each([0, 1, 2, 3, 4, 5])('the Base64 of a text that contains the secret after %i other bytes', (offset) => {
  for (const behind of ['', ':', '::', ':::']) {
    const text = Buffer.from('u'.repeat(offset) + secret + behind).toString('base64')
    const clean = scrub.text(text)
    expect(clean).toContain('[secret]')
    expect(Buffer.from(clean.replace('[secret]', ''), 'base64').toString()).not.toContain('anary')
    expect(scrub.text(text.replaceAll('+', '-').replaceAll('/', '_'))).toContain('[secret]')
  }
})

test('the bytes of a Base64 secret are removed too, in any encoding', () => {
  const bytes = Buffer.from(Array.from({ length: 32 }, (_, at) => (at * 37 + 250) % 256))
  const within = Buffer.concat([Buffer.from('ab'), bytes, Buffer.from('c')])
  for (const key of [bytes.toString('base64'), bytes.toString('base64url')]) {
    const forms = [key, encodeURIComponent(key), bytes.toString('base64'), bytes.toString('base64url'), bytes.toString('hex')]
    for (const form of forms) expect(createScrub([key]).text(`key ${form}.`)).toMatch(/^key \[secret\][=.]*$/)
    const left = createScrub([key]).text(within.toString('base64'))
    expect(left).toContain('[secret]')
    expect(left.length).toBeLessThan(20)
  }
})

test('a value is cleaned everywhere, also in names and in characters that JSON escapes', () => {
  const source = `{"a":["x ${'canary'.replace('c', '\\u0063')}"],"canary":{"n":1,"t":true,"z":null}}`
  expect(createScrub(['canary']).json(JSON.parse(source), source)).toEqual({ a: ['x [secret]'], '[secret]': { n: 1, t: true, z: null } })
})

test('a numeric secret is removed from numbers too, and the rest stays JSON', () => {
  expect(createScrub(['123456']).json({ pin: 123456, other: 1234567 }, '{"pin":123456,"other":1234567}')).toEqual({ pin: '[secret]', other: 1234567 })
})

test('a value without secrets is returned as it is, and short secrets do not destroy encoded text', () => {
  const value = { a: ['b'] }
  expect(scrub.json(value, '{"a":["b"]}')).toBe(value)
  expect(createScrub(['ab', '']).text('YWIx and nothing')).toBe('YWIx and nothing')
})

test('a connection keeps its scrub until its secrets change', () => {
  const connection = {}
  const first = scrubFor(connection, ['canary-one'])
  expect(scrubFor(connection, ['canary-one'])).toBe(first)
  expect(scrubFor(connection, ['canary-one', 'canary-two']).text('canary-two')).toBe('[secret]')
  expect(scrubFor(connection, ['canary-two']).text('canary-one canary-two')).toBe('canary-one [secret]')
})

test('a long text is cleaned like a short one, wherever its windows end', async () => {
  const two = createScrub(['canary-secret', 'secret-canary-secret'])
  for (const at of [0, 1, 65_515, 65_520, 65_530, 65_535, 65_536, 131_071])
    for (const secret of ['canary-secret', 'secret-canary-secret', 'canary-secretcanary-secret', Buffer.from('canary-secret').toString('base64')]) {
      const text = `${'x'.repeat(at)}${secret}${'y'.repeat(140_000 - at)}${secret}`
      expect(await two.longText(text, noTurns, 'acme')).toBe(two.text(text))
    }
  expect(await two.longText('canary-secret '.repeat(20_000), noTurns, 'acme')).toBe('[secret] '.repeat(20_000))
  const clean = 'x'.repeat(200_000)
  expect(await two.longText(clean, noTurns, 'acme')).toBe(clean)
})

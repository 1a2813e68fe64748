import { expect, test } from 'vitest'
import { type Json, parseJson } from '../domain/index.ts'
import { noTurns, type Turns } from '../fairness/index.ts'
import { type JsonLimits, type JsonPath, JsonRefused, type Reading, readJson, repeatedField, writeJson } from './index.ts'

const generous: JsonLimits = { levels: 200, values: 1_000_000, names: 50_000 }

function reading(more: Partial<Reading> = {}): Reading {
  return { limits: generous, turns: noTurns, key: 'acme', piece: parseJson, size: 16, ...more }
}

async function fault(text: string, more: Partial<Reading> = {}): Promise<JsonRefused> {
  try {
    await readJson(text, reading(more))
  } catch (error) {
    if (error instanceof JsonRefused) return error
    throw error
  }
  throw new Error(`${text.slice(0, 100)} was read`)
}

/** Returns a generator of the same numbers in every run of the test. */
function seeded(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

const atoms = ['0', '-1.5e3', 'true', 'null', '""', '"a\\"b"', '"\\\\"', '"\\u00e9\\ud83d\\ude00"', '"[{,:}]"', '12345678901234567890', '"é😀"']

function randomText(random: (below: number) => number, depth: number): string {
  const space = (): string => [' ', '', '\n', '\t', ''][random(5)] ?? ''
  const kind = depth === 0 ? 0 : random(4)
  if (kind === 0) return atoms[random(atoms.length)] ?? '0'
  if (kind === 1) return `"${'long text '.repeat(random(12))}\\n\\u0041"`
  const items = Array.from({ length: random(6) }, () => space() + randomText(random, depth - 1) + space())
  if (kind === 2) return `[${items.join(',') || space()}]`
  return `{${items.map((item, at) => `${space()}"${['k', '__proto__', '7', 'long name '][random(4)]}${at}"${space()}:${item}`).join(',') || space()}}`
}

test('a text of any shape has the value that JSON.parse gives it, even if it is read in pieces', async () => {
  const random = seeded(1)
  for (let round = 0; round < 3_000; round++) {
    const text = randomText(random, 5)
    for (const size of [16, 32, 64]) expect(await readJson(text, reading({ size })), text).toEqual(parseJson(text))
  }
})

test('invalid JSON is refused, however it was damaged', async () => {
  const random = seeded(2)
  let damaged = 0
  for (let round = 0; round < 6_000; round++) {
    const text = randomText(random, 4)
    const at = random(text.length)
    const broken = text.slice(0, at) + (['', ',', ']', '}', '[', '{', '"', ':', '1', '\\'][random(10)] ?? '') + text.slice(at + random(3))
    const expected = attempt(() => parseJson(broken))
    const read = await attemptLater(() => readJson(broken, reading({ size: 8 })))
    expect(read, broken).toEqual(expected)
    if (expected === 'refused') damaged += 1
  }
  expect(damaged).toBeGreaterThan(1_000)
})

function attempt(parse: () => Json): Json {
  try {
    return [parse()]
  } catch (error) {
    expect(error).toBeInstanceOf(SyntaxError)
    return 'refused'
  }
}

async function attemptLater(parse: () => Json | Promise<Json>): Promise<Json> {
  try {
    return [await parse()]
  } catch (error) {
    expect(error).toBeInstanceOf(JsonRefused)
    return 'refused'
  }
}

test('a missing comma is refused, even between long items', async () => {
  const long = `[${'1,'.repeat(40)}1]`
  for (const text of [`[${long}${long}]`, `${long}${long}`, `{"a":${long}"b":1}`, `[${long},]`, `[,${long}]`, `["${'x'.repeat(90)}" 1]`])
    expect((await fault(text)).fault).toBe('syntax')
})

test('the place of a fault counts from the start of the whole text', async () => {
  const before = '[1,2,3,"some text",'.repeat(1) + '[4,5,6],'.repeat(20)
  expect((await fault(`${before}nope]`)).at).toBe(before.length)
})

test.each([
  ['levels', '['.repeat(9) + ']'.repeat(9), { levels: 8 }],
  ['levels', '['.repeat(1_000_000), {}],
  ['values', `[${'0,'.repeat(100)}0]`, { values: 100 }],
  ['values', `[${'{},'.repeat(100)}{}]`, { values: 200 }],
  ['names', `{${Array.from({ length: 101 }, (_, at) => `"k${at}":0`).join(',')}}`, { names: 100 }],
] as const)('a text with too many %s is refused before it is read to its end', async (kind, text, limits) => {
  expect((await fault(text, { limits: { ...generous, ...limits } })).fault).toBe(kind)
})

test('a long name is refused, a long text is read', async () => {
  const long = `${'é😀\\"'.repeat(100)}`
  expect((await fault(`{"${long}":1}`)).fault).toBe('names')
  expect(await readJson(`{"a":["${long}"]}`, reading())).toEqual({ a: ['é😀"'.repeat(100)] })
})

test('a number of a million digits is read, a longer one is refused', async () => {
  const size = 32_768
  expect(await readJson(`{"a":${'7'.repeat(1_000_000)}}`, reading({ size, piece: (text) => JSON.parse(text) }))).toHaveProperty('a')
  expect(await fault(`{"a":${'7'.repeat(1_200_000)}}`, { size })).toMatchObject({
    fault: 'values',
    at: 1,
    message: expect.stringContaining('a number of'),
  })
  // White space does not count as a number.
  expect(await readJson(`{"a":${' '.repeat(1_200_000)}7}`, reading({ size }))).toEqual({ a: 7 })
})

test('a repeated field is refused if that is asked for, even in another piece', async () => {
  const text = `{"a":1,${Array.from({ length: 50 }, (_, at) => `"k${at}":0`).join(',')},"a":2}`
  expect((await fault(text, { unique: true })).fault).toBe('repeated')
  expect(await readJson(text, reading())).toMatchObject({ a: 2 })
})

test('a field named __proto__ changes no prototype', async () => {
  const value = (await readJson(`{"__proto__":{"x":[${'1,'.repeat(50)}1]},"b":2}`, reading())) as Record<string, unknown>
  expect(Object.keys(value)).toEqual(['__proto__', 'b'])
  expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
})

/** Counts how often a turn is asked for. */
function counting(): Turns & { taken: number } {
  return {
    taken: 0,
    next() {
      this.taken += 1
      return null
    },
  }
}

test.each([
  ['many values', `[${'0,'.repeat(50_000)}0]`],
  ['a long text', `"${'a'.repeat(100_000)}"`],
  ['a text of escapes', `"${'\\u0041'.repeat(20_000)}"`],
  ['white space', `[${' '.repeat(100_000)}1]`],
  ['many levels, each long', `${'['.repeat(100)}${'1,'.repeat(50_000)}1${']'.repeat(100)}`],
])('reading and writing %s asks for a turn for each piece', async (_name, text) => {
  const turns = counting()
  const value = await readJson(text, reading({ turns, size: 1_000 }))
  expect(turns.taken).toBeGreaterThanOrEqual(text.length / 70_000)
  const again = counting()
  expect(await writeJson(value, { turns: again, key: 'acme', size: 1_000 })).toBe(JSON.stringify(value))
  if (JSON.stringify(value).length > 1_000) expect(again.taken).toBeGreaterThan(10)
})

test('the written text is the one that JSON.stringify writes', async () => {
  const random = seeded(3)
  for (let round = 0; round < 2_000; round++) {
    const value = JSON.parse(randomText(random, 5)) as Json
    for (const size of [1, 16, 64]) expect(await writeJson(value, { turns: noTurns, key: 'acme', size })).toBe(JSON.stringify(value))
  }
})

test('exact numbers keep all their digits, and surrogate pairs are not split', async () => {
  const exact = (JSON as unknown as { rawJSON(text: string): Json }).rawJSON('12345678901234567890')
  expect(await writeJson({ a: exact, b: ['x', '😀'.repeat(20)] }, { turns: noTurns, key: 'acme', size: 16 })).toBe(
    `{"a":12345678901234567890,"b":["x","${'😀'.repeat(20)}"]}`,
  )
})

async function heardOf(text: string, size: number): Promise<readonly string[]> {
  const heard: JsonPath[] = []
  await readJson(text, reading({ size, repeated: (path) => heard.push(path) }))
  return heard.map((path) => path.join('.'))
}

test('a repeated field is reported wherever the pieces end, and its last value wins', async () => {
  const random = seeded(5)
  let repeated = 0
  for (let round = 0; round < 2_000; round++) {
    const text = randomText(random, 5)
    for (const size of [16, 64, 100_000]) expect(await heardOf(text, size), text).toEqual([])
    const objects = [...text.matchAll(/\{\s*("[^"]*")\s*:/g)]
    const object = objects[random(objects.length)]
    if (object?.[1] === undefined) continue
    const inside = object.index + 1
    const twice = `${text.slice(0, inside)}${object[1]}:[${'"filler",'.repeat(random(8))}1],${text.slice(inside)}`
    repeated += 1
    for (const size of [16, 64, 100_000]) {
      expect(await heardOf(twice, size), twice).toEqual([repeatedField(twice)])
      expect(await readJson(twice, reading({ size })), twice).toEqual(parseJson(text))
    }
  }
  expect(repeated).toBeGreaterThan(500)
})

test('only the first of many repeated fields is reported', async () => {
  const text = `[${'{"a":1,"a":2},'.repeat(100)}{}]`
  for (const size of [16, 64, 100_000]) expect(await heardOf(text, size)).toEqual(['0.a'])
})

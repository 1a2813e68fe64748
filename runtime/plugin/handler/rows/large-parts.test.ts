import { expect, test } from 'vitest'
import { inLargeParts } from './large-parts.ts'

const bytes = (size: number): Uint8Array => new Uint8Array(size).fill(size % 251)
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** A source of parts, and how far it has been read. */
function source(sizes: readonly number[], end?: Error) {
  const seen = { read: 0, left: false }
  async function* parts(): AsyncGenerator<Uint8Array> {
    try {
      for (const size of sizes) {
        seen.read += 1
        yield bytes(size)
      }
      if (end) throw end
    } finally {
      seen.left = true
    }
  }
  return { seen, parts: parts() }
}

test('what has arrived is joined, and the same bytes come out', async () => {
  const sizes = Array.from({ length: 300 }, (_, n) => (n * 7) % 1_000)
  const joined: Uint8Array[] = []
  for await (const part of inLargeParts(source(sizes).parts)) {
    joined.push(part)
    await turn()
  }
  expect(Buffer.concat(joined)).toEqual(Buffer.concat(sizes.map(bytes)))
  expect(joined.length).toBeLessThan(20)
})

test('it reads ahead while a part is used, up to a limit', async () => {
  const { seen, parts } = source(Array.from({ length: 100 }, () => 16_384))
  const large = inLargeParts(parts)
  await large.next()
  for (let n = 0; n < 50; n += 1) await turn()
  const ahead = seen.read
  expect(ahead).toBeGreaterThan(1)
  expect(ahead).toBeLessThan(10)
  await large.return(undefined)
  await turn()
  expect(seen).toEqual({ read: ahead, left: true })
})

test('a part that is there is not kept back for the next one', async () => {
  const later = Promise.withResolvers<void>()
  async function* slow(): AsyncGenerator<Uint8Array> {
    yield bytes(3)
    await later.promise
    yield bytes(5)
  }
  const large = inLargeParts(slow())
  expect(await large.next()).toEqual({ done: false, value: bytes(3) })
  later.resolve()
  expect(await large.next()).toEqual({ done: false, value: bytes(5) })
  expect(await large.next()).toEqual({ done: true, value: undefined })
})

test('what arrived before an error is passed on first', async () => {
  const broken = new Error('cut')
  const large = inLargeParts(source([10, 20], broken).parts)
  await turn()
  const got: number[] = []
  await expect(
    (async () => {
      for await (const part of large) got.push(part.length)
    })(),
  ).rejects.toBe(broken)
  expect(got.reduce((sum, size) => sum + size, 0)).toBe(30)
})

import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { keptOrMade } from './kept.ts'

let directory: string
let sources: string
let used: string
let file: string
let times: number

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'tocsin-test-'))
  sources = join(directory, 'sources')
  used = join(directory, 'package.js')
  file = join(directory, 'cache/kept')
  times = 0
  mkdirSync(join(sources, 'deep'), { recursive: true })
  writeFileSync(join(sources, 'deep/a.ts'), 'a')
  writeFileSync(used, 'package')
})
afterEach(() => rmSync(directory, { recursive: true, force: true }))

/** Asks as a process that has just started. @param meanwhile happens while the result is made */
const ask = (meanwhile = () => {}): Promise<{ readonly files: ReadonlyMap<string, Buffer> }> =>
  keptOrMade(file, [sources], async () => {
    times += 1
    meanwhile()
    return { result: { files: new Map([['main.js', Buffer.from(`${times}`)]]) }, packages: [used] }
  })

test('the result is made once, and the next process gets the same', async () => {
  const made = await ask()
  expect(await ask()).toEqual(made)
  expect(made.files.get('main.js')).toEqual(Buffer.from('1'))
  expect(times).toBe(1)
})

test.each<[string, () => void]>([
  ['a changed source', () => writeFileSync(join(sources, 'deep/a.ts'), 'b')],
  ['a new source', () => writeFileSync(join(sources, 'deep/b.ts'), '')],
  ['a source that is gone', () => rmSync(join(sources, 'deep/a.ts'))],
  ['a changed file of a package', () => writeFileSync(used, 'other')],
  ['a file of a package that is gone', () => rmSync(used)],
  ['a part of the kept file', () => writeFileSync(file, readFileSync(file).subarray(0, -1))],
  ['something else in its place', () => writeFileSync(file, 'x')],
])('after %s it is made again', async (_what, change) => {
  await ask()
  change()
  await ask()
  expect(times).toBe(2)
})

test('what was made while somebody edited is not kept', async () => {
  await ask(() => writeFileSync(join(sources, 'deep/a.ts'), 'b'))
  // The edit is taken back. What was made of it must not come back.
  writeFileSync(join(sources, 'deep/a.ts'), 'a')
  await ask()
  expect(times).toBe(2)
})

test('where nothing can be kept, it is made each time', async () => {
  writeFileSync(join(directory, 'cache'), '')
  await ask()
  await ask()
  expect(times).toBe(2)
})

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { root, sources } from '../source-imports.ts'
import { uncommented } from './public-comments.ts'

let temporary: string | null = null
afterEach(() => temporary && rmSync(temporary, { recursive: true }))

test('what a room offers to others says what it does', () => {
  expect(uncommented(root, [...sources('runtime'), ...sources('console')])).toEqual([])
})

test('a function or class without a comment is found, if an index offers it', () => {
  temporary = mkdtempSync(join(tmpdir(), 'tocsin-comments-'))
  mkdirSync(join(temporary, 'room'))
  const write = (name: string, text: string): string => {
    writeFileSync(join(temporary ?? '', 'room', name), text)
    return `room/${name}`
  }
  const files = [
    write('index.ts', "export * from './all.ts'\nexport { one, type Two } from './some.ts'\nexport { join } from 'node:path'\n"),
    write('all.ts', '/** Does it. */\nexport function told(): void {}\n\n// Not a doc comment.\nexport class Untold {}\n'),
    write(
      'some.ts',
      '/** Nothing. */\nconst two = 2\nexport function one(): number {\n  return two\n}\nexport function own(): void {}\nexport type Two = 2\n',
    ),
    write(
      'over.ts',
      '/** Of both. */\nexport function over(it: 1): void\nexport function over(it: 2): void\nexport function over(_it: number): void {}\n',
    ),
    write('more.ts', ''),
  ]
  writeFileSync(
    join(temporary, 'room', 'index.ts'),
    "export * from './all.ts'\nexport { one, type Two } from './some.ts'\nexport * from './over.ts'\n",
  )
  expect(uncommented(temporary, files)).toEqual([
    { file: 'room/all.ts', name: 'Untold' },
    { file: 'room/some.ts', name: 'one' },
  ])
})

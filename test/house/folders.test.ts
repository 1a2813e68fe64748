import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { crowdedFolders, foldersBelow, mostFiles } from './folders.ts'
import { root } from './source-imports.ts'

/*
 * Each folder is one idea, small enough to take in at a glance. A folder with more than 20 files needs subfolders, or a reason why one list
 * is clearer. The first comment of its `index.ts` gives that reason and says "more than 20 files".
 */
const crowded = crowdedFolders(root, ['runtime', 'console', 'plugins', 'test', 'bench'])

/** Returns the first comment of a folder's `index.ts` on one line, or an empty string. */
function firstComment(folder: string): string {
  const index = join(root, folder, 'index.ts')
  if (!existsSync(index)) return ''
  const comment = /^\/\*\*[\s\S]*?\*\//.exec(readFileSync(index, 'utf8'))?.[0] ?? ''
  return comment.replaceAll(/\s+\*?\s*/g, ' ')
}

test(`no folder has more than ${mostFiles} files side by side without a reason`, () => {
  const without = crowded.filter(({ folder }) => !firstComment(folder).includes(`more than ${mostFiles} files`))
  expect(without.map(({ folder, files }) => `${folder}: ${files} files`)).toEqual([])
})

test('a reason is removed once the folder does not need it', () => {
  const needed = new Set(crowded.map(({ folder }) => folder))
  const reasons = foldersBelow(root, ['runtime', 'test']).filter((folder) => firstComment(folder).includes(`more than ${mostFiles} files`))
  expect(reasons.filter((folder) => !needed.has(folder))).toEqual([])
})

/** Folders that are not part of the program: a sample plugin, as a plugin author writes it. */
const samples = 'runtime/plugin/sample'

test('every folder of the runtime says in its index what it is', () => {
  const folders = foldersBelow(root, ['runtime']).filter((folder) => folder !== 'runtime' && !folder.startsWith(samples))
  expect(folders.filter((folder) => firstComment(folder) === '')).toEqual([])
})

let temporary: string | null = null
afterEach(() => {
  if (temporary !== null) rmSync(temporary, { recursive: true })
  temporary = null
})

test('files are counted per folder, without subfolders, fixtures or skills', () => {
  temporary = mkdtempSync(join(tmpdir(), 'folders-'))
  const counts = { 'top/full': mostFiles, 'top/full/crowded': mostFiles + 1, 'top/fixtures': mostFiles + 1, 'top/deep/skills': mostFiles + 1 }
  for (const [folder, files] of Object.entries(counts)) {
    mkdirSync(join(temporary, folder), { recursive: true })
    for (let file = 0; file < files; file++) writeFileSync(join(temporary, folder, `${file}.ts`), '')
  }
  expect(crowdedFolders(temporary, ['top'])).toEqual([{ folder: 'top/full/crowded', files: mostFiles + 1 }])
})

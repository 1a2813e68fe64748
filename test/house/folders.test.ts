import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { crowdedFolders, mostFiles } from './folders.ts'
import { root } from './source-imports.ts'

/*
 * A folder is one idea, and a reader takes it in at one look. A folder with more than 20 files needs subfolders, or a reason why one list is
 * clearer. In code, the first comment of its `index.ts` says so, with the word "files". Other folders have their reasons here.
 */
const allowed: Readonly<Record<string, string>> = {
  'test/conformance/storage/scope': 'one file for each part of the port of the store',
}

const crowded = crowdedFolders(root, ['runtime', 'console', 'plugins', 'test', 'bench'])

/** Whether the index of a folder says why it has so many files. */
function saysWhy(folder: string): boolean {
  const index = join(root, folder, 'index.ts')
  const [comment = ''] = existsSync(index) ? (readFileSync(index, 'utf8').match(/^\/\*\*[\s\S]*?\*\//) ?? []) : []
  return /\bfiles\b/.test(comment)
}

test(`no folder has more than ${mostFiles} files side by side without a reason`, () => {
  const without = crowded.filter(({ folder }) => !(folder in allowed) && !saysWhy(folder))
  expect(without.map(({ folder, files }) => `${folder}: ${files} files`)).toEqual([])
})

test('no folder is allowed that does not need it', () => {
  const needed = new Set(crowded.map(({ folder }) => folder))
  expect(Object.keys(allowed).filter((folder) => !needed.has(folder))).toEqual([])
})

let temporary: string | null = null
afterEach(() => {
  if (temporary !== null) rmSync(temporary, { recursive: true })
  temporary = null
})

test('files are counted folder by folder, without subfolders; fixtures and skills are left out', () => {
  temporary = mkdtempSync(join(tmpdir(), 'folders-'))
  const counts = { 'top/full': mostFiles, 'top/full/crowded': mostFiles + 1, 'top/fixtures': mostFiles + 1, 'top/deep/skills': mostFiles + 1 }
  for (const [folder, files] of Object.entries(counts)) {
    mkdirSync(join(temporary, folder), { recursive: true })
    for (let file = 0; file < files; file++) writeFileSync(join(temporary, folder, `${file}.ts`), '')
  }
  expect(crowdedFolders(temporary, ['top'])).toEqual([{ folder: 'top/full/crowded', files: mostFiles + 1 }])
})

import { existsSync } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { messageOf, TocsinError } from '../../../../errors/index.ts'
import { isTestFile } from '../../../../rehearsal/index.ts'

/**
 * Finds test files. A folder stands for all test files in it and below it, and a playbook for the test file beside it.
 * @throws TocsinError `file_unreadable` if a path does not exist or has no tests
 */
export async function testFiles(paths: readonly string[]): Promise<readonly string[]> {
  const found: string[] = []
  for (const path of paths) found.push(...(await testFilesAt(path)))
  if (found.length === 0) throw new TocsinError('file_unreadable', `There is no <playbook>.test.yaml in ${paths.join(', ')}`, [], { remedy })
  return [...new Set(found)]
}

const remedy = 'Write tests beside the playbook (docs/guides/testing-playbooks.md), or record one from a run: `tocsin run record`.'

async function testFilesAt(path: string): Promise<readonly string[]> {
  if (await isFolder(path)) {
    const names = await readdir(path, { recursive: true })
    return names
      .filter((name) => isTestFile(name) && !name.split(/[/\\]/).includes('node_modules'))
      .sort()
      .map((name) => shortest(join(path, name)))
  }
  if (isTestFile(path)) return [path]
  const beside = path.replace(/\.ya?ml$/, '.test.yaml')
  if (!existsSync(beside) && existsSync(path))
    throw new TocsinError('file_unreadable', `${path} has no tests: there is no ${beside}.`, [], { remedy })
  await isFolder(beside)
  return [beside]
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory()
  } catch (error) {
    throw new TocsinError('file_unreadable', messageOf(error), [], { cause: error })
  }
}

/** Makes a path relative to the working directory if it lies below it. */
function shortest(path: string): string {
  const below = relative(process.cwd(), path)
  return below.startsWith('..') ? path : below
}

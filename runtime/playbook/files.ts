import { type Dirent, existsSync } from 'node:fs'
import { readdir, readFile, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { messageOf, TocsinError } from '../errors/index.ts'
import { utf8Of } from '../files/index.ts'
import { type PlaybookSource, sourcesOf } from './compile/index.ts'

/**
 * Tells whether a name in a playbook folder is that of a playbook. Tests of playbooks are in the same folder. Editors
 * keep hidden files of their own there.
 */
function isPlaybookName(name: string): boolean {
  return /^[^.].*\.ya?ml$/.test(name) && !/\.test\.ya?ml$/.test(name)
}

/** Returns false for what is no file, such as a pipe: reading that may never end. A link to nothing stays, so that reading it says so. */
async function mayBeFile(entry: Dirent): Promise<boolean> {
  if (!entry.isSymbolicLink()) return entry.isFile()
  const target = await stat(join(entry.parentPath, entry.name)).catch(() => null)
  return target === null || target.isFile()
}

/** Returns the playbook files of a folder, sorted by name. @throws TocsinError `file_unreadable` */
export async function playbookFiles(folder: string): Promise<readonly string[]> {
  try {
    const named = (await readdir(folder, { withFileTypes: true })).filter(({ name }) => isPlaybookName(name))
    const files = await Promise.all(named.map(async (entry) => ((await mayBeFile(entry)) ? [entry.name] : [])))
    return files
      .flat()
      .sort()
      .map((name) => join(folder, name))
  } catch (error) {
    throw new TocsinError('file_unreadable', `The playbook folder ${folder}: ${messageOf(error)}`, [], { cause: error })
  }
}

/** @throws TocsinError `file_unreadable`, also if it is not UTF-8 */
export async function readPlaybook(file: string): Promise<string> {
  return utf8Of(await bytesOf(file), file)
}

async function bytesOf(file: string): Promise<Uint8Array> {
  try {
    return await readFile(file)
  } catch (error) {
    throw new TocsinError('file_unreadable', messageOf(error), [], { cause: error })
  }
}

/**
 * Returns the playbooks that playbook files may run: those in the same folders, then those in the
 * playbook folders. Skips folders that do not exist, and other files that cannot be read: one broken
 * file must not keep people from checking its neighbours.
 *
 * @param files the playbooks in question; they take precedence
 * @throws TocsinError `file_unreadable` for one of `files`, or a folder
 */
export async function sourcesBeside(files: readonly string[], folders: readonly string[]): Promise<ReadonlyMap<string, PlaybookSource>> {
  const around = [...new Set([...files.map((file) => dirname(file)), ...folders])].filter((folder) => existsSync(folder))
  const found = (await Promise.all(around.map(playbookFiles))).flat()
  const all = [...new Set([...files, ...found])]
  const sources = await Promise.all(all.map((file) => sourceOf(file, files.includes(file))))
  return sourcesOf(sources.filter((source) => source !== null))
}

async function sourceOf(file: string, wanted: boolean): Promise<PlaybookSource | null> {
  try {
    return { file, text: await readPlaybook(file) }
  } catch (error) {
    if (wanted || !(error instanceof TocsinError && error.code === 'file_unreadable')) throw error
    return null
  }
}

import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { messageOf, TocsinError } from '../errors/index.ts'
import { type PlaybookSource, sourcesOf } from './compile/index.ts'

/** Tells whether a file in a playbook folder is a playbook. Tests of playbooks are in the same folder. */
function isPlaybookFile(name: string): boolean {
  return /\.ya?ml$/.test(name) && !/\.test\.ya?ml$/.test(name)
}

/** Returns the playbook files of a folder, sorted by name. @throws TocsinError `file_unreadable` */
export async function playbookFiles(folder: string): Promise<readonly string[]> {
  try {
    const names = await readdir(folder)
    return names
      .filter(isPlaybookFile)
      .sort()
      .map((name) => join(folder, name))
  } catch (error) {
    throw new TocsinError('file_unreadable', `The playbook folder ${folder}: ${messageOf(error)}`, [], { cause: error })
  }
}

/** @throws TocsinError `file_unreadable` */
export async function readPlaybook(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    throw new TocsinError('file_unreadable', messageOf(error), [], { cause: error })
  }
}

/**
 * Returns the playbooks that playbook files may run: those in the same folders, then those in the
 * playbook folders. Skips folders that do not exist.
 *
 * @param files the playbooks in question; they take precedence
 */
export async function sourcesBeside(files: readonly string[], folders: readonly string[]): Promise<ReadonlyMap<string, PlaybookSource>> {
  const around = [...new Set([...files.map((file) => dirname(file)), ...folders])].filter((folder) => existsSync(folder))
  const found = (await Promise.all(around.map(playbookFiles))).flat()
  const all = [...new Set([...files, ...found])]
  return sourcesOf(await Promise.all(all.map(async (file) => ({ file, text: await readPlaybook(file) }))))
}

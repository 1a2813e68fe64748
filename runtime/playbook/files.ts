import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { messageOf, TocsinError } from '../errors/index.ts'
import { type PlaybookSource, sourcesOf } from './compile/index.ts'

/** Whether a file of this name in a playbook folder is a playbook; tests of playbooks lie beside them. */
function isPlaybookFile(name: string): boolean {
  return /\.ya?ml$/.test(name) && !/\.test\.ya?ml$/.test(name)
}

/** The playbook files of a folder, by name. @throws TocsinError `file_unreadable` */
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
 * The playbooks that playbook files may run: those beside them, then those of the playbook folders, as far as they can be read.
 * @param files playbooks that are looked at, which count first
 */
export async function sourcesBeside(files: readonly string[], folders: readonly string[]): Promise<ReadonlyMap<string, PlaybookSource>> {
  const around = [...new Set([...files.map((file) => dirname(file)), ...folders])].filter((folder) => existsSync(folder))
  const found = (await Promise.all(around.map(playbookFiles))).flat()
  const all = [...new Set([...files, ...found])]
  return sourcesOf(await Promise.all(all.map(async (file) => ({ file, text: await readPlaybook(file) }))))
}

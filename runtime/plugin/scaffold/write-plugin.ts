import { mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { messageOf, TocsinError } from '../../errors/index.ts'
import { loadPluginFolder } from '../manifest/index.ts'
import type { Plugin } from '../types.ts'
import type { NewFile } from './files.ts'

/**
 * Writes a new plugin, and checks it first. The folder appears complete, or not at all.
 * @throws TocsinError `file_unwritable` if the folder is not empty or cannot be written; the errors of `loadPluginFolder`
 */
export async function writePlugin(folder: string, files: readonly NewFile[]): Promise<Plugin> {
  const target = resolve(folder)
  await mustBeFree(target)
  const beside = await inFolder(async () => {
    await mkdir(dirname(target), { recursive: true })
    return mkdtemp(join(dirname(target), '.tocsin-new-'))
  })
  try {
    const draft = join(beside, basename(target))
    await inFolder(async () => {
      for (const { path, text } of files) {
        await mkdir(dirname(join(draft, path)), { recursive: true })
        await writeFile(join(draft, path), text, { flag: 'wx' })
      }
    })
    const plugin = await loadPluginFolder(draft)
    await inFolder(() => rename(draft, target))
    return plugin
  } finally {
    await rm(beside, { recursive: true, force: true })
  }
}

async function mustBeFree(folder: string): Promise<void> {
  const found = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw unwritable(error)
  })
  if (found.length > 0)
    throw new TocsinError('file_unwritable', `${folder} is not empty.`, [], { remedy: 'Name a new folder, or remove what is in this one.' })
}

async function inFolder<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw unwritable(error)
  }
}

function unwritable(error: unknown): TocsinError {
  return new TocsinError('file_unwritable', messageOf(error), [], { cause: error })
}

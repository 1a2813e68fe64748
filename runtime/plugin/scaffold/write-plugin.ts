import { mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { isTocsinError, messageOf, TocsinError } from '../../errors/index.ts'
import { loadPluginFolder } from '../manifest/index.ts'
import type { Plugin } from '../types.ts'
import type { NewFile } from './files.ts'

/**
 * Writes a new plugin, and checks it first. The folder appears complete, or not at all.
 * @throws TocsinError `file_unwritable` if the folder is not empty or cannot be written; the errors of `loadPluginFolder`, about
 * the files as they would be in the plugin
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
    const plugin = await loadPluginFolder(draft).catch((error: unknown) => {
      throw asDraft(error, draft)
    })
    await inFolder(() => rename(draft, target))
    return plugin
  } finally {
    await rm(beside, { recursive: true, force: true })
  }
}

/** Names the files of a draft by their places in the plugin, and without lines: the draft is gone when somebody reads this. */
function asDraft(error: unknown, draft: string): unknown {
  if (!isTocsinError(error)) return error
  const shown = (text: string): string => text.replaceAll(`${draft}/`, '')
  const places = error.places.map(({ file, line: _line, column: _column, message, ...place }) => ({
    ...place,
    message: shown(message),
    ...(file !== undefined && { file: shown(file) }),
  }))
  const [first] = places
  const what = first === undefined ? shown(error.message) : `${first.file ?? first.field}: ${first.message}`
  const others = places.length > 1 ? ` (and ${places.length - 1} more)` : ''
  return new TocsinError(error.code, `The plugin would be invalid, so nothing was written: ${what}${others}`, places, {
    cause: error,
    remedy: 'Leave the operation out with --operations, or correct the document.',
  })
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

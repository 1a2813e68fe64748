import { stat } from 'node:fs/promises'
import type { Command } from 'commander'
import { type Folders, readFolders } from '../../../config/index.ts'
import { messageOf, TocsinError } from '../../../errors/index.ts'
import {
  type PlaybookFile,
  type PlaybookSource,
  playbookFiles,
  readPlaybook,
  type SkillLookup,
  skillLookup,
  sourcesBeside,
  withPlaybooks,
} from '../../../playbook/index.ts'
import { loadPluginFolders, type Plugin } from '../../../plugin/index.ts'

/** The options of every command that works on playbook files without a running Tocsin. */
export interface OfflineOptions {
  readonly plugins?: string
  readonly playbooks?: string
}

export function offlineCommand(parent: Command, nameAndArguments: string, description: string): Command {
  return parent
    .command(nameAndArguments)
    .description(description)
    .option('--plugins <folders>', 'folders of plugins, separated by commas (TOCSIN_PLUGINS)')
    .option('--playbooks <folders>', 'folders of playbooks, separated by commas (TOCSIN_PLAYBOOKS)')
}

export function offlineFolders({ plugins, playbooks }: OfflineOptions): Folders {
  return readFolders(process.env, { ...(plugins !== undefined && { plugins }), ...(playbooks !== undefined && { playbooks }) })
}

/** Loads the plugins of the configured folders, by integration. @throws TocsinError if a plugin is invalid */
export async function offlinePlugins({ plugins }: Folders): Promise<ReadonlyMap<string, Plugin>> {
  return new Map((await loadPluginFolders(plugins)).map((plugin) => [plugin.id, plugin]))
}

/** Collects the skills and sub-playbooks that playbooks of these files may name. @throws TocsinError if a plugin is invalid */
export async function offlineLookup(folders: Folders, files: readonly PlaybookFile[]): Promise<SkillLookup> {
  return withPlaybooks(skillLookup(await offlinePlugins(folders)), await offlineSources(folders, files))
}

/** Finds the sub-playbooks that playbooks of these files may run. */
export function offlineSources({ playbooks }: Folders, files: readonly PlaybookFile[]): Promise<ReadonlyMap<string, PlaybookSource>> {
  return sourcesBeside(
    files.map(({ file }) => file),
    playbooks,
  )
}

/** Reads the playbooks at the paths, in a folder by name. Without paths, reads the configured folders. @throws TocsinError `file_unreadable` */
export async function readPlaybooks(paths: readonly string[], folders: Folders): Promise<readonly PlaybookFile[]> {
  const { read, unreadable } = await readReadable(paths, folders)
  if (unreadable !== null) throw unreadable
  return read
}

/**
 * Like `readPlaybooks`, but goes on after a file that cannot be read.
 * @returns the playbooks that could be read, and one error for all other files. Null: there are none
 * @throws TocsinError `file_unreadable` for a path that does not exist
 */
export async function readReadable(paths: readonly string[], { playbooks }: Folders): Promise<ReadPlaybooks> {
  const files = (await Promise.all((paths.length > 0 ? paths : playbooks).map(filesAt))).flat()
  const read: PlaybookFile[] = []
  const failed: unknown[] = []
  for (const file of files) {
    try {
      read.push({ file, text: await readPlaybook(file) })
    } catch (error) {
      failed.push(error)
    }
  }
  const [first = null] = failed
  return { read, unreadable: failed.length < 2 ? first : new TocsinError('file_unreadable', failed.map(messageOf).join('\n')) }
}

interface ReadPlaybooks {
  readonly read: readonly PlaybookFile[]
  readonly unreadable: unknown
}

/** Returns the path if it is a file, else the playbook files of the folder. @throws TocsinError `file_unreadable` */
export async function filesAt(path: string): Promise<readonly string[]> {
  try {
    return (await stat(path)).isDirectory() ? await playbookFiles(path) : [path]
  } catch (error) {
    if (error instanceof TocsinError) throw error
    throw new TocsinError('file_unreadable', messageOf(error), [], { cause: error })
  }
}

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
export async function readPlaybooks(paths: readonly string[], { playbooks }: Folders): Promise<readonly PlaybookFile[]> {
  const files = (await Promise.all((paths.length > 0 ? paths : playbooks).map(filesAt))).flat()
  return Promise.all(files.map(async (file) => ({ file, text: await readPlaybook(file) })))
}

/**
 * Reads the same playbooks, but goes on after a file that cannot be read.
 * @returns what it read, and an error that names every other file; null if there is none
 * @throws TocsinError `file_unreadable` for a path that does not exist
 */
export async function readPlaybooksApart(paths: readonly string[], { playbooks }: Folders): Promise<ReadApart> {
  const files = (await Promise.all((paths.length > 0 ? paths : playbooks).map(filesAt))).flat()
  const texts = await Promise.allSettled(files.map(readPlaybook))
  const reasons = texts.flatMap((text) => (text.status === 'rejected' ? [text.reason as unknown] : []))
  const [first, ...others] = reasons
  const unreadable = others.length === 0 ? first : new TocsinError('file_unreadable', reasons.map(messageOf).join('\n'))
  return { read: files.flatMap((file, index) => textOf(file, texts[index])), unreadable: unreadable ?? null }
}

interface ReadApart {
  readonly read: readonly PlaybookFile[]
  readonly unreadable: unknown
}

function textOf(file: string, text: PromiseSettledResult<string> | undefined): readonly PlaybookFile[] {
  return text?.status === 'fulfilled' ? [{ file, text: text.value }] : []
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

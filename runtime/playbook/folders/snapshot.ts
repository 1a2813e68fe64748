import { readFile } from 'node:fs/promises'
import type { Digest } from '../../domain/index.ts'
import { digestOf } from '../../yaml/index.ts'
import { playbookFiles } from '../files.ts'

/** The digest of each playbook file in some folders, at one moment. */
export type Snapshot = ReadonlyMap<string, Digest>

/**
 * Reads the folders. Leaves out files that it cannot read or that disappear meanwhile: the import
 * reports those. @throws TocsinError `file_unreadable` if a folder cannot be read
 */
export async function takeSnapshot(folders: readonly string[]): Promise<Snapshot> {
  const files = (await Promise.all(folders.map(playbookFiles))).flat()
  const read = await Promise.all(files.map(async (file) => [file, await textOf(file)] as const))
  return new Map(read.flatMap(([file, text]) => (text === null ? [] : [[file, digestOf(text)]])))
}

async function textOf(file: string): Promise<string | null> {
  try {
    return await readFile(file, 'utf8')
  } catch {
    return null
  }
}

export interface Difference {
  /** New files, and files whose text is different. */
  readonly changed: ReadonlySet<string>
  /** Files that are gone. A file that only got another name is not gone. */
  readonly gone: ReadonlySet<string>
}

export function differenceOf(before: Snapshot, now: Snapshot): Difference {
  const texts = new Set(now.values())
  return {
    changed: new Set([...now].filter(([file, digest]) => before.get(file) !== digest).map(([file]) => file)),
    gone: new Set([...before].filter(([file, digest]) => !now.has(file) && !texts.has(digest)).map(([file]) => file)),
  }
}

export function isSame({ changed, gone }: Difference): boolean {
  return changed.size === 0 && gone.size === 0
}

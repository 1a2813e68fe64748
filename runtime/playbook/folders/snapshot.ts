import { readFile } from 'node:fs/promises'
import type { Digest } from '../../domain/index.ts'
import { digestOf } from '../../yaml/index.ts'
import { playbookFiles } from '../files.ts'

/** The playbook files of some folders as they were at one look: the digest of each text. */
export type Snapshot = ReadonlyMap<string, Digest>

/** A file that goes while it is read is left out, and so is one that may not be read: the import says so. @throws TocsinError `file_unreadable` of a folder */
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
  /** New, or with another text. */
  readonly changed: ReadonlySet<string>
  /** Not there any more, under another name neither. */
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

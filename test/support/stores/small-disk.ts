import { spawnSync } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A disk of its own, so small that a test can fill it. */
export interface SmallDisk {
  readonly directory: string
  /** Takes all the room that is left. */
  fill(): void
  /** Gives it back. */
  empty(): void
  remove(): void
}

/** @returns null where this process may not mount one */
export function mountSmallDisk(megabytes: number): SmallDisk | null {
  const directory = mkdtempSync(join(tmpdir(), 'tocsin-disk-'))
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', directory]).status === 0
  if (!mounted) {
    rmSync(directory, { recursive: true })
    return null
  }
  const filler = join(directory, 'filler')
  return {
    directory,
    fill() {
      const file = openSync(filler, 'a')
      try {
        // Ever smaller pieces, down to the smallest that a disk gives.
        for (let size = 1_048_576; size >= 512; size /= 2) while (wrote(file, size));
      } finally {
        closeSync(file)
      }
    },
    empty: () => rmSync(filler, { force: true }),
    remove() {
      spawnSync('umount', ['--lazy', directory])
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

function wrote(file: number, size: number): boolean {
  try {
    return writeSync(file, Buffer.alloc(size)) === size
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOSPC') return false
    throw error
  }
}

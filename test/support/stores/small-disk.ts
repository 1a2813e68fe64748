import { spawnSync } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A separate disk, so small that a test can fill it. */
export interface SmallDisk {
  readonly directory: string
  /** Fills the disk. */
  fill(): void
  /** Frees the space again. */
  empty(): void
  remove(): void
}

/** Mounts a small disk. @returns null if this process may not mount one */
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
        // Write smaller and smaller pieces, down to the smallest block of a disk.
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

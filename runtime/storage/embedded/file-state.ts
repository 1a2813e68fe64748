import { fstatSync, type Stats, statfsSync, statSync } from 'node:fs'

/** What tells a file from any other, and from itself before somebody else wrote to it. */
export interface FileState {
  readonly device: number
  readonly inode: number
  readonly bytes: number
  /** When it was made and when it was last written to, in milliseconds with fractions; some file systems do not know the first, and say 0. */
  readonly made: number
  readonly written: number
  /** Names that it has: none, once it was removed. */
  readonly links: number
}

/** @returns null when nothing has that name @throws what the system says when it cannot be asked */
export function stateAt(path: string): FileState | null {
  const found = statSync(path, { throwIfNoEntry: false })
  return found ? stateOf(found) : null
}

/** Of a file that this process holds open, whatever its name is now. */
export function stateHeld(file: number): FileState {
  return stateOf(fstatSync(file))
}

function stateOf({ dev, ino, size, birthtimeMs, mtimeMs, nlink }: Stats): FileState {
  return { device: dev, inode: ino, bytes: size, made: birthtimeMs, written: mtimeMs, links: nlink }
}

/** Kinds of file systems (`f_type`) where a file keeps its number for good: ext, XFS, Btrfs, ZFS, tmpfs, overlay. */
const lasting: ReadonlySet<number> = new Set([0xef53, 0x58465342, 0x9123683e, 0x2fc12fc1, 0x01021994, 0x794c7630])

/**
 * Tells a file from every copy of it, also from one that was given the number of a file that was removed, and after a restart of the machine.
 * @returns null where the file system may give the same file another number tomorrow
 */
export function lastingIdentity(path: string, { inode, made }: FileState): string | null {
  return lasting.has(statfsSync(path).type) ? `${inode}/${made}` : null
}

export function isSameFile(one: Pick<FileState, 'device' | 'inode'>, other: Pick<FileState, 'device' | 'inode'>): boolean {
  return one.device === other.device && one.inode === other.inode
}

export function isUntouched(one: Pick<FileState, 'bytes' | 'written'>, other: Pick<FileState, 'bytes' | 'written'>): boolean {
  return one.bytes === other.bytes && one.written === other.written
}

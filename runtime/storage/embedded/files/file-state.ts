import { fstatSync, type Stats, statfsSync, statSync } from 'node:fs'
import { systemCode } from '../../../files/index.ts'

/** Identifies a file, and shows whether somebody has written to it. */
export interface FileState {
  readonly device: number
  readonly inode: number
  readonly bytes: number
  /**
   * When the file was created and last written, in milliseconds with fractions. Some file systems do not
   * record the creation and report 0.
   */
  readonly made: number
  readonly written: number
  /** How many names the file has. 0 after it was removed. */
  readonly links: number
}

/**
 * Returns the state of the file at a path.
 * @returns null if there is no such file, or only a link that leads to none
 * @throws the system's error
 */
export function stateAt(path: string): FileState | null {
  try {
    const found = statSync(path, { throwIfNoEntry: false })
    return found ? stateOf(found) : null
  } catch (error) {
    // A link that leads back to itself.
    if (systemCode(error) === 'ELOOP') return null
    throw error
  }
}

/** Returns the state of an open file, whatever its name is now. */
export function stateHeld(file: number): FileState {
  return stateOf(fstatSync(file))
}

function stateOf({ dev, ino, size, birthtimeMs, mtimeMs, nlink }: Stats): FileState {
  return { device: dev, inode: ino, bytes: size, made: birthtimeMs, written: mtimeMs, links: nlink }
}

/** File systems (`f_type`) on which a file always keeps its inode number: ext, XFS, Btrfs, ZFS, tmpfs, overlay. */
const lasting: ReadonlySet<number> = new Set([0xef53, 0x58465342, 0x9123683e, 0x2fc12fc1, 0x01021994, 0x794c7630])

/**
 * Returns a value that tells a file from its copies, even after a restart of the machine, and even if a copy
 * got the inode number of a removed file.
 * @returns null if the file system may change the inode number of a file
 */
export function lastingIdentity(path: string, { inode, made }: FileState): string | null {
  return lasting.has(statfsSync(path).type) ? `${inode}/${made}` : null
}

/** Returns whether two states are of the same file, whatever is in it. */
export function isSameFile(one: Pick<FileState, 'device' | 'inode'>, other: Pick<FileState, 'device' | 'inode'>): boolean {
  return one.device === other.device && one.inode === other.inode
}

/** Returns whether nobody has written to a file between two states. */
export function isUntouched(one: Pick<FileState, 'bytes' | 'written'>, other: Pick<FileState, 'bytes' | 'written'>): boolean {
  return one.bytes === other.bytes && one.written === other.written
}

import { chmodSync, existsSync, mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileFault, systemCode } from './fault.ts'

/**
 * Creates a folder, and the folders above it, with access for the owner only. An existing folder stays as it is.
 *
 * Does not use Node's `recursive` option: below `/proc`, where the parent exists but nothing can be created, that never returns.
 * @throws TocsinError `folder_unusable`, `disk_full`
 */
export function makeFolder(path: string): void {
  try {
    make(path)
  } catch (error) {
    throw fileFault(path, 'be made', error)
  }
}

function make(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 })
  } catch (error) {
    const code = systemCode(error)
    // Without write access to the parent the code is EACCES or EROFS, even if the folder exists.
    if (isFolder(path)) return
    const parent = dirname(path)
    if (code !== 'ENOENT' || parent === path || existsSync(parent)) throw error
    make(parent)
    mkdirSync(path, { mode: 0o700 })
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
}

/** Removes all access of group and others to a file. A file of another user stays as it is. */
export function keepPrivate(path: string): void {
  try {
    chmodSync(path, 0o600)
  } catch (error) {
    if (systemCode(error) !== 'EPERM') throw error
  }
}

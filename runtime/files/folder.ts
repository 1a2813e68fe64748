import { chmodSync, existsSync, mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileFault, systemCode } from './fault.ts'

/**
 * Makes a folder, and those above it, for its owner alone. One that is there stays as it is.
 *
 * Not by Node's own `recursive`: below `/proc`, where the parent is there and still nothing can be made, it tries for ever.
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
    // Whoever may not write into the parent is told so (EACCES, EROFS), also where the folder is there.
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

/** Takes from group and others what they may do with a file. A file of another user stays as it is. */
export function keepPrivate(path: string): void {
  try {
    chmodSync(path, 0o600)
  } catch (error) {
    if (systemCode(error) !== 'EPERM') throw error
  }
}

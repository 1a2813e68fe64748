import { randomBytes } from 'node:crypto'
import { closeSync, fsyncSync, linkSync, mkdirSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { messageOf, TocsinError } from '../../errors/index.ts'
import { parseVaultKey, vaultKeyBytes } from '../../formats/index.ts'

/**
 * Reads the vault key of a data folder, or makes one at the first start. If two processes start on
 * one folder at the same time, both get the same key: each links a complete file into place, and
 * only the first link succeeds.
 * @throws TocsinError `config_invalid`, `file_unreadable`
 */
export function loadVaultKey(directory: string): Uint8Array {
  const file = join(directory, 'vault.key')
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 })
    const standing = read(file)
    if (standing !== null) return parseVaultKey(standing, file)
    // A random name, because a process that died here may have left its draft. The process id would not
    // do: in a container the next process has the same one.
    const draft = `${file}.${randomBytes(8).toString('hex')}`
    try {
      const handle = openSync(draft, 'wx', 0o600)
      writeSync(handle, `${randomBytes(vaultKeyBytes).toString('base64')}\n`)
      fsyncSync(handle)
      closeSync(handle)
      linkSync(draft, file)
    } catch (error) {
      if ((error as { code?: string }).code !== 'EEXIST') throw error
    } finally {
      rmSync(draft, { force: true })
    }
    return parseVaultKey(read(file) ?? '', file)
  } catch (error) {
    if (error instanceof TocsinError) throw error
    throw new TocsinError('file_unreadable', `${file}: ${messageOf(error)}`, [], { cause: error })
  }
}

/**
 * Reads the vault key that a data folder had before, `vault.key.old`. Null: it has none.
 * @throws TocsinError `config_invalid`, `file_unreadable`
 */
export function readOldVaultKey(directory: string): Uint8Array | null {
  const file = join(directory, 'vault.key.old')
  try {
    const text = read(file)
    return text === null ? null : parseVaultKey(text, file)
  } catch (error) {
    if (error instanceof TocsinError) throw error
    throw new TocsinError('file_unreadable', `${file}: ${messageOf(error)}`, [], { cause: error })
  }
}

function read(file: string): string | null {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as { code?: string }).code === 'ENOENT') return null
    throw error
  }
}

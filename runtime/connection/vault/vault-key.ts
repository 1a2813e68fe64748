import { randomBytes } from 'node:crypto'
import { closeSync, fsyncSync, linkSync, mkdirSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { messageOf, TocsinError } from '../../errors/index.ts'

const keyBytes = 32

/**
 * Reads a vault key as it is written: base64 or base64url of 32 bytes, or 64 hexadecimal digits.
 * @throws TocsinError `config_invalid`
 */
export function parseVaultKey(text: string, source: string): Uint8Array {
  const trimmed = text.trim()
  const key = /^[0-9a-f]{64}$/i.test(trimmed) ? Buffer.from(trimmed, 'hex') : Buffer.from(trimmed, 'base64')
  if (key.length !== keyBytes)
    throw new TocsinError('config_invalid', `${source} must be 32 bytes, as base64 or as 64 hexadecimal digits; it has ${key.length}.`, [], {
      remedy: 'Give the whole key that the store began with. For a new store, make one with: openssl rand -base64 32',
    })
  return key
}

/**
 * The vault key of a data folder, made at the first start. Two processes that start together on one folder end with one key:
 * a whole file is linked into place, and only the first link succeeds.
 * @throws TocsinError `config_invalid`, `file_unreadable`
 */
export function loadVaultKey(directory: string): Uint8Array {
  const file = join(directory, 'vault.key')
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 })
    const standing = read(file)
    if (standing !== null) return parseVaultKey(standing, file)
    // A name of its own: a process that died here has left its draft, and in a container the next one has the same number.
    const draft = `${file}.${randomBytes(8).toString('hex')}`
    try {
      const handle = openSync(draft, 'wx', 0o600)
      writeSync(handle, `${randomBytes(keyBytes).toString('base64')}\n`)
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

function read(file: string): string | null {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as { code?: string }).code === 'ENOENT') return null
    throw error
  }
}

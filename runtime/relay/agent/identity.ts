import { createPrivateKey, generateKeyPairSync, type KeyObject, randomUUID } from 'node:crypto'
import { chmodSync, closeSync, fsyncSync, linkSync, mkdirSync, openSync, readFileSync, rmSync, statSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'

/** The key file cannot be used. */
class KeyFileInvalid extends Error {
  override readonly name = 'KeyFileInvalid'
}

/** Only its owner may read or write the file. */
const ownerOnly = 0o600

/**
 * Reads the agent's private key. At the first start, makes one.
 * @throws KeyFileInvalid if others may read the file, or it has no Ed25519 key; the file system's errors
 */
export function loadKey(file: string): KeyObject {
  const standing = read(file)
  if (standing) return standing
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const { privateKey } = generateKeyPairSync('ed25519')
  // Written whole under another name first: a machine that stops midway must not leave half a key. The name is new each time: the draft of
  // a killed agent stays behind, and in a container its successor has the same process id.
  const draft = `${file}.${randomUUID()}`
  const opened = openSync(draft, 'wx', ownerOnly)
  try {
    chmodSync(draft, ownerOnly)
    writeSync(opened, String(privateKey.export({ type: 'pkcs8', format: 'pem' })))
    fsyncSync(opened)
    // Fails if another agent has made the file meanwhile.
    linkSync(draft, file)
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'EEXIST') throw error
  } finally {
    closeSync(opened)
    rmSync(draft, { force: true })
  }
  return read(file) ?? privateKey
}

function read(file: string): KeyObject | null {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as { code?: unknown }).code === 'ENOENT') return null
    throw error
  }
  if ((statSync(file).mode & 0o077) !== 0) throw new KeyFileInvalid(`Others may read ${file}. Run: chmod 600 ${file}`)
  try {
    const key = createPrivateKey(text)
    if (key.asymmetricKeyType === 'ed25519') return key
  } catch {
    // The parser's own message may repeat a part of the key.
  }
  throw new KeyFileInvalid(`${file} has no Ed25519 key. Remove it, create another agent, and start this one with its token.`)
}

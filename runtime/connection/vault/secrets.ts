import type { Connection } from '../../domain/index.ts'
import { TocsinError } from '../../errors/index.ts'
import type { SecretReader } from '../auth/index.ts'
import type { Vault } from './vault.ts'

/**
 * A connection's credentials for its auth scheme. Keeps the secrets that were read, because an
 * answer must not repeat them.
 */
export interface Secrets {
  readonly read: SecretReader
  readonly opened: readonly string[]
}

interface Opened {
  readonly vault: Vault
  readonly secrets: Map<string, string>
}

const inMemory = new WeakMap<Connection, Opened>()

/** Returns what was decrypted of a connection. It is kept as long as the connection object is in memory, like the scrub that has the same secrets. */
function openedOf(vault: Vault, connection: Connection): Map<string, string> {
  const standing = inMemory.get(connection)
  if (standing?.vault === vault) return standing.secrets
  const secrets = new Map<string, string>()
  inMemory.set(connection, { vault, secrets })
  return secrets
}

export function secretsOf(vault: Vault, connection: Connection): Secrets {
  const opened: string[] = []
  const known = openedOf(vault, connection)
  return {
    opened,
    read(name) {
      const sealed = connection.secrets[name]
      if (sealed) {
        const secret = known.get(name) ?? vault.open(connection.id, name, sealed)
        known.set(name, secret)
        if (!opened.includes(secret)) opened.push(secret)
        return secret
      }
      const plain = connection.fields[name]
      if (plain === undefined) throw new TocsinError('connection_invalid', `The connection ${connection.instance} has no ${name}.`)
      return String(plain)
    },
  }
}

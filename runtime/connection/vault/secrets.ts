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

export function secretsOf(vault: Vault, connection: Connection): Secrets {
  const opened: string[] = []
  return {
    opened,
    read(name) {
      const sealed = connection.secrets[name]
      if (sealed) {
        const secret = vault.open(connection.id, name, sealed)
        if (!opened.includes(secret)) opened.push(secret)
        return secret
      }
      const plain = connection.fields[name]
      if (plain === undefined) throw new TocsinError('connection_invalid', `The connection ${connection.instance} has no ${name}.`)
      return String(plain)
    },
  }
}

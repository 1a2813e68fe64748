import type { Connection } from '../../domain/index.ts'
import { isTocsinError } from '../../errors/index.ts'
import type { Plugin } from '../../plugin/index.ts'
import type { RateKey } from '../../rate-limit/index.ts'
import { ownOrigins } from '../send/origins.ts'
import { secretsOf } from '../vault/secrets.ts'
import type { Vault } from '../vault/vault.ts'

/**
 * Whose requests the external system counts together: those that are made with the same credentials, of whichever connection. It tells nothing of
 * them, for it stands in Redis. A connection without secrets, or whose secrets cannot be read, is counted by itself.
 */
export function rateKeyOf(vault: Vault, plugin: Plugin, connection: Connection): RateKey {
  const names = Object.keys(connection.secrets).sort()
  if (names.length === 0) return connection.id
  try {
    const secrets = secretsOf(vault, connection)
    const [origin = null] = ownOrigins(plugin, connection)
    return vault.fingerprint(JSON.stringify([plugin.id, origin, ...names.map((name) => [name, secrets.read(name)])]))
  } catch (error) {
    // Whoever sends with it is told what is wrong.
    if (isTocsinError(error) || error instanceof TypeError) return connection.id
    throw error
  }
}

import type { Connection } from '../../domain/index.ts'
import { isTocsinError } from '../../errors/index.ts'
import type { Plugin } from '../../plugin/index.ts'
import type { RateKey } from '../../rate-limit/index.ts'
import { ownOrigins } from '../send/origins.ts'
import { secretsOf } from '../vault/secrets.ts'
import type { Vault } from '../vault/vault.ts'

/**
 * Returns the key by which requests share a rate limit. The external system counts all requests
 * with the same credentials together, whichever connection sends them. The key is stored in Redis,
 * so it reveals nothing about the credentials. A connection without secrets, or with unreadable
 * ones, has a limit of its own.
 */
export function rateKeyOf(vault: Vault, plugin: Plugin, connection: Connection): RateKey {
  const names = Object.keys(connection.secrets).sort()
  if (names.length === 0) return connection.id
  try {
    const secrets = secretsOf(vault, connection)
    const [origin = null] = ownOrigins(plugin, connection)
    return vault.fingerprint(JSON.stringify([plugin.id, origin, ...names.map((name) => [name, secrets.read(name)])]))
  } catch (error) {
    // Signing the request will report the problem.
    if (isTocsinError(error) || error instanceof TypeError) return connection.id
    throw error
  }
}

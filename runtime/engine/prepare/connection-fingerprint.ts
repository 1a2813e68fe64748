import { hash } from 'node:crypto'
import type { Connection } from '../../domain/index.ts'
import { originFields, type Plugin } from '../../plugin/index.ts'

/** Returns a digest of what decides which system a connection leads to: its origin's fields, and its remote agent. */
export function connectionFingerprint({ fields, remoteAgent }: Connection, plugin: Plugin): string {
  const deciding = originFields(plugin).map((name) => [name, fields[name] ?? null])
  return hash('sha256', JSON.stringify([deciding, remoteAgent]), 'base64url')
}

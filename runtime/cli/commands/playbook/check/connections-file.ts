import { readFileSync } from 'node:fs'
import { messageOf, TocsinError } from '../../../../errors/index.ts'
import type { KnownConnection } from '../../../../playbook/index.ts'

/**
 * Reads connections from a file, in the format of `tocsin connection list --json`.
 * @throws TocsinError `file_unreadable` if the file cannot be read or is not such a list
 */
export function readConnections(file: string): readonly KnownConnection[] {
  let value: unknown
  try {
    value = JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    throw new TocsinError('file_unreadable', `${file}: ${messageOf(error)}`)
  }
  if (!Array.isArray(value)) throw wrong(file, 'it must be a list in the format of `tocsin connection list --json`')
  return value.map((item: unknown, index) => connectionOf(item, `${file}: item ${index}`))
}

function connectionOf(item: unknown, where: string): KnownConnection {
  const own = (typeof item === 'object' && item !== null ? item : {}) as Readonly<Record<string, unknown>>
  const text = (name: string): string | null => {
    const value = own[name] ?? null
    if (value !== null && typeof value !== 'string') throw wrong(where, `\`${name}\` must be text`)
    return value
  }
  const integration = text('integration')
  if (integration === null) throw wrong(where, '`integration` is missing')
  const slots = own['slots'] ?? []
  if (!Array.isArray(slots)) throw wrong(where, '`slots` must be a list')
  return {
    instance: text('instance') ?? text('id') ?? integration,
    integration,
    organization: text('organization_code'),
    isDefault: own['is_default'] === true,
    slots: slots.map(String),
    role: text('role'),
    expired: own['expired'] === true,
  }
}

function wrong(where: string, what: string): TocsinError {
  return new TocsinError('file_unreadable', `${where}: ${what}.`)
}

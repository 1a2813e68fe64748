import { TocsinError } from '../errors/index.ts'
import { type Answer, listAll, request, type Target } from './client.ts'

/** What tells connections of the same instance name apart. */
export interface Narrow {
  readonly organization?: string
  readonly integration?: string
}

/**
 * Finds a connection by its id or its instance name.
 * @throws TocsinError `connection_unknown`, `connection_ambiguous`; Refused if the API refuses
 */
export async function findConnection(target: Target, name: string, { organization, integration }: Narrow): Promise<Answer> {
  if (/^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i.test(name)) return request(target, 'GET', connectionPath(name))
  const query = new URLSearchParams({ limit: '1000' })
  if (organization !== undefined) query.set('organization', organization)
  if (integration !== undefined) query.set('integration', integration)
  const found: Answer[] = []
  for await (const connection of listAll(target, `/platformapi/connections?${query}`)) if (connection['instance'] === name) found.push(connection)
  const [only] = found
  if (!only)
    throw new TocsinError('connection_unknown', `No connection${integration ? ` of ${integration}` : ''} that this key may see is called "${name}".`)
  if (found.length === 1) return only
  const owners = found.map((each) => `${String(each['organization_code'] ?? 'shared')}: ${String(each['id'])}`)
  throw new TocsinError('connection_ambiguous', `${found.length} connections are called "${name}" (${owners.join(', ')}).`)
}

export function connectionPath(id: unknown): string {
  return `/platformapi/connections/${encodeURIComponent(String(id))}`
}

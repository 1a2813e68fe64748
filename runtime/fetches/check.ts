import { type Clock, type Connection, longerThan, type OrganizationId, organizationScope, type Principal } from '../domain/index.ts'
import { type ErrorPlace, TocsinError } from '../errors/index.ts'
import type { PluginLibrary, Skill } from '../plugin/index.ts'
import type { Store } from '../storage/index.ts'
import { compileInput } from './input.ts'
import type { FetchDraft } from './types.ts'

export interface FetchCheckDeps {
  readonly store: Store
  readonly plugins: PluginLibrary
  readonly clock: Clock
}

/** The longest input of a fetch, in characters, roughly. */
const longestInput = 16_384

/** What is checked of a draft or a change. */
export type Entry = Pick<FetchDraft, 'connection' | 'skill' | 'input' | 'reading'>

/**
 * Checks that an organization may use the connection, that the skill only reads, and that its input fits.
 * @returns the skill's name without the integration's
 * @throws TocsinError `fetch_invalid`, `organization_forbidden`, `provider_unknown`
 */
export async function checkFetch(
  { store, plugins, clock }: FetchCheckDeps,
  principal: Principal,
  organization: OrganizationId,
  { connection: id, skill: name, input, reading }: Entry,
): Promise<{ readonly skill: string }> {
  const [connection] = await store.connections.byId(organizationScope(organization), [id])
  if (!connection) throw invalid({ field: 'connection', message: 'The organization has no such connection, and none is shared with it.' })
  requireOwn(principal, connection)
  const plugin = (await plugins.active()).get(connection.integration)
  if (!plugin) throw invalid({ field: 'connection', message: `No plugin "${connection.integration}" is loaded.` })
  const bare = name.startsWith(`${plugin.id}.`) ? name.slice(plugin.id.length + 1) : name
  const skill = plugin.skills.get(bare)
  if (!skill) throw invalid({ field: 'skill', message: `${plugin.id} has no skill with this name.` })
  if (skill.impact !== 'read') throw invalid({ field: 'skill', message: `${plugin.id}.${bare} changes the external system. A fetch only reads.` })
  if (longerThan(input, longestInput)) throw invalid({ field: 'input', message: `It has more than ${longestInput} characters.` })
  checkInput(skill, input, clock)
  const [provider] = await store.providers.byCode(organizationScope(organization), [reading.provider])
  if (!provider)
    throw new TocsinError('provider_unknown', `No provider has the code "${reading.provider}".`, [
      { field: 'alert_provider', message: 'unknown provider' },
    ])
  return { skill: bare }
}

/** A shared connection acts for every organization, so its data may not become the alerts of one without a key of all. */
function requireOwn({ organizations }: Principal, { organization }: Connection): void {
  if (organization !== null || organizations === 'all') return
  throw new TocsinError('organization_forbidden', 'The connection is shared with every organization. This needs an API key of all organizations.')
}

/** Checks the input as it would be now. The forms of times are the same at any time. */
function checkInput(skill: Skill, input: Entry['input'], clock: Clock): void {
  const now = clock.now()
  const rendered = compileInput(input).render({ since: now, until: now, current: true, divisible: false })
  const faults = skill.inputFaults(rendered)
  if (faults.length === 0) return
  throw invalid(...faults.map(({ path, message }) => ({ field: ['input', ...path].join('.'), message })))
}

function invalid(...places: readonly ErrorPlace[]): TocsinError {
  return new TocsinError('fetch_invalid', places.map(({ field, message }) => `${field}: ${message}`).join(' '), places)
}

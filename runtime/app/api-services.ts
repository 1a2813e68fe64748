import type { ApiServices } from '../api/index.ts'
import type { Connections } from '../connection/index.ts'
import { type ConnectionId, type OrganizationId, organizationScope } from '../domain/index.ts'
import { bindSlots } from '../engine/index.ts'
import {
  drawText,
  editorSchemaFor,
  examineText,
  generateFor,
  type KnownConnection,
  PlaybookActivation,
  PlaybookHistory,
  shippedPlaybooks,
} from '../playbook/index.ts'
import { catalogueOf, type PluginLibrary } from '../plugin/index.ts'
import { type KnownSkills, Policies } from '../policy/index.ts'
import type { Recordings } from '../rehearsal/index.ts'
import { rehearsalsOfTexts } from '../rehearsals/index.ts'
import type { Parts } from './assemble.ts'

/** Builds the playbook services of the API. */
export function playbookServices(
  { store, looking, playbooks: library, rehearsals }: Parts,
  connections: Connections,
  recordings: Recordings,
): ApiServices['playbooks'] {
  const history = new PlaybookHistory(store, looking.checks)
  const needs = { ...looking, store, connectionsOf: (organization: OrganizationId) => connectionsOf(connections, organization) }
  return {
    draw: (scope, text, organization) => drawText(needs, scope, text, organization),
    lint: (scope, text, organization) => examineText(needs, scope, text, organization),
    generate: (alert) => generateFor(needs, alert),
    templates: shippedPlaybooks,
    schema: (scope) => editorSchemaFor(needs, scope),
    binding: async (playbook, organization) =>
      bindSlots(playbook, await store.connections.forOrganization(organizationScope(organization), organization)),
    rehearsals: rehearsalsOfTexts(needs, rehearsals, recordings),
    history,
    activation: new PlaybookActivation({ ...needs, library, history, bind: bindSlots }),
  }
}

/** Returns the connections that playbooks of an organization may use, including the shared ones. */
async function connectionsOf(connections: Connections, organization: OrganizationId): Promise<readonly KnownConnection[]> {
  const known: KnownConnection[] = []
  for (let after: ConnectionId | null = null; ; ) {
    const { items, more } = await connections.list(organizationScope(organization), { after, limit: 200 })
    for (const { instance, integration, organizationCode: organization, isDefault, slots, role, expired } of items)
      known.push({ instance, integration, organization, isDefault, slots, role, expired })
    after = items.at(-1)?.id ?? null
    if (!more || after === null) return known
  }
}

/** Builds the service for policies. Policies may name the skills of the loaded plugins. */
export function policiesOf({ store, plugins, checks, clock }: Pick<Parts, 'store' | 'plugins' | 'checks' | 'clock'>): Policies {
  const known = async (): Promise<KnownSkills> => {
    const loaded = [...(await plugins.active()).values()]
    return new Map(
      loaded.flatMap(({ id, skills }) =>
        [...skills.values()].map(
          (skill) => [`${id}.${skill.id}`, { impact: skill.impact, targeted: skill.target !== null, ends: skill.ends.length > 0 }] as const,
        ),
      ),
    )
  }
  return new Policies(store, clock, known, checks.policies)
}

/** Builds the list of loaded plugins for the API. */
export function integrationViews(plugins: PluginLibrary): ApiServices['integrations'] {
  return {
    async list() {
      return [...(await plugins.active()).values()].map((plugin) => catalogueOf(plugin).integration)
    },
    async skills(integration) {
      const plugin = (await plugins.active()).get(integration)
      return plugin ? catalogueOf(plugin).skills : null
    },
  }
}

import { type Alert, type Json, type OrganizationId, organizationScope, type Scope, systemScope } from '../../domain/index.ts'
import type { Store } from '../../storage/index.ts'
import { aroundOf } from '../checks/around.ts'
import { type LookingNeeds, lookingFor, ownerOf } from '../checks/looking.ts'
import type { Work } from '../checks/port.ts'
import type { DrawnPlaybook, Examination, Outline } from '../checks/tasks.ts'
import type { PlaybookSource } from '../compile/index.ts'
import type { KnownConnection } from '../lint/index.ts'
import { ActivePlaybooks } from './active.ts'
import { draw, examine } from './candidate.ts'

/** What work on a sent text needs from other rooms. */
export interface TextNeeds extends LookingNeeds {
  readonly store: Store
  /** The connections that an organization's playbooks may use. */
  connectionsOf(organization: OrganizationId): Promise<readonly KnownConnection[]>
}

/** The sub-playbooks that a run of a sent text would use in an organization. */
export interface TextSurroundings {
  readonly sources: ReadonlyMap<string, PlaybookSource>
  /** Null: the text cannot be read. */
  readonly outline: Outline | null
  /** Who asked, and the loaded plugins. */
  readonly work: Work
}

const file = 'playbook.yaml'

/** Loads the active sub-playbooks of an organization and the shared ones. */
function activeFor(store: Store, organization: OrganizationId | null): Promise<ActivePlaybooks> {
  return ActivePlaybooks.load(store, organization === null ? organizationScope() : organizationScope(organization), ['sub_playbook'])
}

/**
 * Lints a playbook's text against the loaded plugins and the active sub-playbooks. With an
 * organization, also uses its connections and its own sub-playbooks.
 *
 * @throws the errors of `PlaybookChecks.run`
 */
export async function examineText(needs: TextNeeds, scope: Scope, text: string, organization: OrganizationId | null): Promise<Examination> {
  const looking = await lookingFor(needs, ownerOf(scope, organization))
  const active = await activeFor(needs.store, organization)
  const connections = organization === null ? null : await needs.connectionsOf(organization)
  return examine({ file, text }, { active, organization, connections }, looking)
}

/**
 * Draws the graph of a playbook's text, with the active sub-playbooks that it runs.
 * @param organization whose sub-playbooks it runs; null: the shared ones
 * @throws the errors of `PlaybookChecks.run`
 */
export async function drawText(needs: TextNeeds, scope: Scope, text: string, organization: OrganizationId | null): Promise<DrawnPlaybook> {
  const looking = await lookingFor(needs, ownerOf(scope, organization))
  return draw({ file, text }, { active: await activeFor(needs.store, organization), organization, connections: null }, looking)
}

/** Finds what a rehearsal needs besides the text. @throws the errors of `PlaybookChecks.run` */
export async function surroundingsOf(needs: TextNeeds, scope: Scope, text: string, organization: OrganizationId | null): Promise<TextSurroundings> {
  const { outlines, work } = await lookingFor(needs, ownerOf(scope, organization))
  const outline = await outlines.of(text, work)
  const active = await activeFor(needs.store, organization)
  const { sources } = await aroundOf(outline?.runs ?? [], active.subPlaybooks(organization), active, outlines, work)
  return { sources, outline, work }
}

/** Writes a first playbook for the type of an alert. @throws the errors of `PlaybookChecks.run` */
export async function generateFor(needs: TextNeeds, { organization, type, content }: Alert): Promise<string> {
  const scope = organizationScope(organization)
  const { checks, work } = await lookingFor(needs, organization)
  const connections = await needs.store.connections.forOrganization(scope, organization)
  return checks.run('generate', { type: type ?? 'alert', content, connected: new Set(connections.map(({ integration }) => integration)) }, work)
}

/** An editor completes the names and inputs of this many sub-playbooks, up to this many characters together. */
const completed = { playbooks: 200, characters: 2_000_000 }

/** Returns the JSON Schema of playbooks for editors, with the names that the caller may see. @throws the errors of `PlaybookChecks.run` */
export async function editorSchemaFor(needs: TextNeeds, scope: Scope): Promise<Json> {
  const { checks, work } = await lookingFor(needs, ownerOf(scope, null))
  const active = await needs.store.artifacts.listActive(scope, 'sub_playbook')
  const texts: string[] = []
  let characters = 0
  for (const { digest } of active.slice(0, completed.playbooks)) {
    const found = await needs.store.artifacts.get(systemScope, digest)
    characters += found?.text.length ?? 0
    if (characters > completed.characters) break
    if (found) texts.push(found.text)
  }
  return checks.run('schema', texts, work)
}

import { type OrganizationId, organizationScope, type Scope } from '../../domain/index.ts'
import type { Store } from '../../storage/index.ts'
import { type LookingNeeds, lookingFor, ownerOf } from '../checks/looking.ts'
import type { Finding } from '../findings/index.ts'
import type { KnownConnection } from '../lint/index.ts'
import { ActivePlaybooks } from './active.ts'
import { examine } from './candidate.ts'

/** The parts of other rooms that linting a text uses. */
export interface LintNeeds extends LookingNeeds {
  readonly store: Store
  /** The connections that an organization's playbooks may use. */
  connectionsOf(organization: OrganizationId): Promise<readonly KnownConnection[]>
}

/**
 * Lints a playbook's text against the loaded plugins and the active sub-playbooks. With an
 * organization, also uses its connections and its own sub-playbooks.
 *
 * @throws the errors of `PlaybookChecks.run`
 */
export async function lintText(needs: LintNeeds, scope: Scope, text: string, organization: OrganizationId | null): Promise<readonly Finding[]> {
  const looking = await lookingFor(needs, ownerOf(scope, organization))
  const visible = organization === null ? organizationScope() : organizationScope(organization)
  const active = await ActivePlaybooks.load(needs.store, visible, ['sub_playbook'])
  const connections = organization === null ? null : await needs.connectionsOf(organization)
  const { findings } = await examine({ file: 'playbook.yaml', text }, { active, organization, connections }, looking)
  return findings
}

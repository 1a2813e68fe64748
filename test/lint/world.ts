import { fileURLToPath } from 'node:url'
import { examplePlaybooks, lintWorld, wholeExample } from '../../runtime/playbook/authoring/index.ts'
import type { KnownConnection, LintWorld, PlaybookFile } from '../../runtime/playbook/index.ts'
import { loadPluginFolders } from '../../runtime/plugin/index.ts'

const plugins = await loadPluginFolders([fileURLToPath(new URL('../../plugins', import.meta.url))])
const installed = new Map(plugins.map((plugin) => [plugin.id, plugin]))

function connection(integration: string, own: Partial<KnownConnection> = {}): KnownConnection {
  return { instance: integration, integration, organization: 'acme', isDefault: false, slots: [], role: null, expired: false, ...own }
}

/** The shipped plugins, with unknown connections. */
export const world: LintWorld = lintWorld(installed)

/** The same plugins with connections of `acme`: an expired one of `mfa`, two of `crm`, one of `mailsec` with a low role, none of `browser`. */
export const connected: LintWorld = lintWorld(installed, [
  connection('mfa', { expired: true }),
  connection('crm', { instance: 'sales' }),
  connection('crm', { instance: 'support' }),
  connection('mailsec', { role: 'issue_responder' }),
])

/** The files that are linted together with each case: sub-playbooks, and one that takes a name and an alert type. */
export const others: readonly PlaybookFile[] = [
  { file: 'taken.yaml', text: wholeExample('playbook: taken\nalert_type: taken') },
  ...examplePlaybooks.map((text, index) => ({ file: `beside-${index}.yaml`, text })),
]

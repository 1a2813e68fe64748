/** What an alert's playbook writes until its end: each address once, or at least once if repeating is safe. */
export interface Expected {
  readonly once: readonly string[]
  readonly atLeastOnce: readonly string[]
}

/** The playbooks of the storm, and what each must have written at the external system. */
export const kinds: Readonly<Record<string, (name: string) => Expected>> = {
  contain: (name) => ({ once: [`/posts/${name}`, `/stamps/${name}`, `/keyed/${name}`], atLeastOnce: [`/entries/${name}`] }),
  bulk: (name) => ({ once: ['x', 'y'].flatMap((part) => [0, 1, 2].map((number) => `/stamps/${name}-${part}-${number}`)), atLeastOnce: [] }),
  patient: (name) => ({ once: [`/posts/${name}`, `/stamps/${name}`], atLeastOnce: [] }),
  ask: (name) => ({ once: [`/stamps/${name}`], atLeastOnce: [] }),
  beside: (name) => ({ once: [`/posts/${name}`, `/stamps/${name}`, `/keyed/${name}`], atLeastOnce: [] }),
  together: (name) => ({ once: [`/stamps/${name}`], atLeastOnce: [] }),
}

/** How long a write may take to leave, in milliseconds: `timeout` of the plugin. */
export const writeTime = 10_000

/** The organization that is reached directly, and the one that is reached through remote agents. */
export const direct = { organization: 'ACME' }
export const site = { organization: 'PLANT', agent: 'plant' }
export const organizations: readonly string[] = [direct.organization, site.organization]

/** The quota of one skill in the policy of each organization. People are asked before each further call. */
export const quota = { skill: 'ledger.post_entry', path: '/posts/', calls: 25 }
export const policy = `format: 1\nlimits: { quotas: { skills: { ${quota.skill}: { calls: ${quota.calls}, per: 7d } } } }`

const names = Object.keys(kinds)
/** How many alerts share a case. */
const groupOf = 4

/** Returns an alert of a source. Its name is unique, so that its writes can be told apart at the external system. */
export function alertOf(source: number, index: number): object {
  const type = names[(source + index) % names.length] ?? ''
  const name = `${type}.${source}.${index}`
  return {
    alert_content: JSON.stringify({ name, group: groupOfAlert(source, index) }),
    alert_provider: 'EDR',
    organization_code: organizationOf(source),
    alert_type: type,
  }
}

function organizationOf(source: number): string {
  return organizations[source % organizations.length] ?? ''
}

/** Returns the organization of an alert, by its name. */
export function organizationOfAlert(name: string): string {
  return organizationOf(Number(name.split('.')[1]))
}

function groupOfAlert(source: number, index: number): string {
  return `${source}.${Math.floor(index / names.length / groupOf)}`
}

/** Returns the alert name in an address: `/stamps/bulk.0.7-x-2` belongs to `bulk.0.7`. */
export function alertNameIn(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1).split('-', 1)[0] ?? ''
}

/** What an alert's playbook writes when it comes to its end: each address once, or where repeating is safe at least once. */
export interface Expected {
  readonly once: readonly string[]
  readonly atLeastOnce: readonly string[]
}

/** The playbooks of the storm, and what each must have left at the other end. */
export const kinds: Readonly<Record<string, (name: string) => Expected>> = {
  contain: (name) => ({ once: [`/posts/${name}`, `/stamps/${name}`, `/keyed/${name}`], atLeastOnce: [`/entries/${name}`] }),
  bulk: (name) => ({ once: ['x', 'y'].flatMap((part) => [0, 1, 2].map((number) => `/stamps/${name}-${part}-${number}`)), atLeastOnce: [] }),
  patient: (name) => ({ once: [`/posts/${name}`, `/stamps/${name}`], atLeastOnce: [] }),
  ask: (name) => ({ once: [`/stamps/${name}`], atLeastOnce: [] }),
  beside: (name) => ({ once: [`/posts/${name}`, `/stamps/${name}`, `/keyed/${name}`], atLeastOnce: [] }),
  together: (name) => ({ once: [`/stamps/${name}`], atLeastOnce: [] }),
}

/** So many calls of one skill the organization's policy lets through; for each further one people are asked. */
export const quota = { skill: 'ledger.post_entry', path: '/posts/', calls: 25 }
export const policy = `format: 1\nlimits: { quotas: { skills: { ${quota.skill}: { calls: ${quota.calls}, per: 7d } } } }`

const names = Object.keys(kinds)
/** Alerts that have a case together. */
const groupOf = 4

/** An alert of a source: its name says whose it is, so that what is written can be told apart at the other end. */
export function alertOf(source: number, index: number): object {
  const type = names[(source + index) % names.length] ?? ''
  const name = `${type}.${source}.${index}`
  return {
    alert_content: JSON.stringify({ name, group: groupOfAlert(source, index) }),
    alert_provider: 'EDR',
    organization_code: 'ACME',
    alert_type: type,
  }
}

function groupOfAlert(source: number, index: number): string {
  return `${source}.${Math.floor(index / names.length / groupOf)}`
}

/** What of an address the alert's name is: `/stamps/bulk.0.7-x-2` is of `bulk.0.7`. */
export function alertNameIn(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1).split('-', 1)[0] ?? ''
}

/** The things that changes are about, by the part of the API that changes them. */
const things: ReadonlyMap<string, string> = new Map([
  ['agents', 'a remote agent'],
  ['alerts', 'alert'],
  ['cases', 'case'],
  ['connections', 'a connection'],
  ['decisions', 'a decision'],
  ['fetches', 'a fetch'],
  ['keys', 'an API key'],
  ['organizations', 'an organization'],
  ['pauses', 'a pause'],
  ['playbooks', 'a playbook'],
  ['providers', 'a provider'],
  ['runs', 'run'],
  ['webhooks', 'a webhook'],
])

/** Names a change by its path: `Your change of case ACME-42`. */
export function changeOf(path: string): string {
  const [, room, of = '', id, part] = (path.split('?')[0] ?? '').split('/')
  if (room === 'console') return of === 'sign-out' ? 'Your sign-out' : 'Your sign-in'
  if (of === 'decisions') return 'Your answer to a decision'
  if (part === 'skills') return 'Your call of a skill'
  const thing = things.get(of)
  if (thing === undefined) return 'Your change'
  if (/^an? /.test(thing)) return `Your change of ${thing}`
  return id === undefined ? `Your new ${thing}` : `Your change of ${thing} ${decodeURIComponent(id)}`
}

/** What to do if the answer would have shown a secret, which nobody can show again. Null: it shows none. */
export function lostSecret(path: string): string | null {
  return /\/(keys|agents|webhooks|secret)$/.test(path)
    ? 'If you have closed its dialog, nobody can show you its secret any more: remove it, and make another one.'
    : null
}

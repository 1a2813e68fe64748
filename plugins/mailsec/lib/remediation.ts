/** What an issue's remediation list is to be. */
export type Wanted =
  /** Nothing was asked for. */
  | { readonly kind: 'untouched' }
  /** Every wanted action stands already. */
  | { readonly kind: 'standing' }
  | { readonly kind: 'set'; readonly actions: readonly string[] }
  /** The platform does not say which actions stand, so that none can be added to them. */
  | { readonly kind: 'not_known' }

/**
 * The list to send. The platform replaces the list that stands (specification 4.4, behaviour rule 2), so that adding to it means sending all of it.
 * @param standing of the issue as it was read; looked at only for `merge`
 */
export function wantedActions(actions: readonly string[] | undefined, mode: 'replace' | 'merge' | undefined, standing: unknown): Wanted {
  if (actions === undefined) return { kind: 'untouched' }
  if (mode !== 'merge') return { kind: 'set', actions }
  if (!Array.isArray(standing) || !standing.every((action) => typeof action === 'string')) return { kind: 'not_known' }
  const all = [...new Set([...(standing as readonly string[]), ...actions])]
  return all.length === new Set(standing).size ? { kind: 'standing' } : { kind: 'set', actions: all }
}

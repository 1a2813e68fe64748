/** The new remediation list of an issue. */
export type Wanted =
  /** Nothing was requested. */
  | { readonly kind: 'untouched' }
  /** All requested actions are already in the list. */
  | { readonly kind: 'standing' }
  | { readonly kind: 'set'; readonly actions: readonly string[] }
  /** The platform does not say which actions are in the list, so none can be added. */
  | { readonly kind: 'not_known' }

/**
 * Returns the list to send. The platform replaces the whole list (specification 4.4, behaviour rule
 * 2), so to add an action all of them must be sent.
 * @param standing the current list. Used only for `merge`
 */
export function wantedActions(actions: readonly string[] | undefined, mode: 'replace' | 'merge' | undefined, standing: unknown): Wanted {
  if (actions === undefined) return { kind: 'untouched' }
  if (mode !== 'merge') return { kind: 'set', actions }
  if (!Array.isArray(standing) || !standing.every((action) => typeof action === 'string')) return { kind: 'not_known' }
  const all = [...new Set([...(standing as readonly string[]), ...actions])]
  return all.length === new Set(standing).size ? { kind: 'standing' } : { kind: 'set', actions: all }
}

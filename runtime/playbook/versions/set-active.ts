import type { Activation, Digest, Millis, PrincipalId, Scope } from '../../domain/index.ts'
import { TocsinError } from '../../errors/index.ts'
import type { Store } from '../../storage/index.ts'
import { describePlace, type PlaybookPlace } from './place.ts'

/** A change of what is active in a place. */
export interface Change {
  readonly digest: Digest
  readonly name: string
  readonly withdrawn: boolean
  /** `folder` keeps an edit that a person made over the API. */
  readonly source: 'folder' | 'edited'
  /** Null: Tocsin itself. */
  readonly by: PrincipalId | null
  readonly at: Millis
}

export type Outcome = 'activated' | 'unchanged' | 'kept_edit'

/** Returns what a change does to the current activation of its place. */
export function outcomeOf(standing: Activation | null, { digest, withdrawn, source }: Pick<Change, 'digest' | 'withdrawn' | 'source'>): Outcome {
  if (!standing) return 'activated'
  const same = standing.digest === digest && standing.withdrawn === withdrawn
  // A text that is also in the folder belongs to the folder again.
  if (same) return source === 'edited' || standing.source === 'folder' ? 'unchanged' : 'activated'
  return source === 'folder' && (standing.source === 'edited' || standing.withdrawn) ? 'kept_edit' : 'activated'
}

export interface Settled {
  readonly outcome: Outcome
  readonly standing: Activation
  readonly replaced: Activation | null
}

/** Returns the playbook of another name whose place a change takes. Null: there is none. */
export function replacedBy(before: Activation | null, { name }: Pick<Change, 'name'>, outcome: Outcome): Activation | null {
  return outcome === 'activated' && before !== null && !before.withdrawn && before.name !== name ? before : null
}

/**
 * Changes a place by compare-and-set.
 *
 * @param expected the revision that the place must have, 0 if it must be empty; null: any
 * @throws TocsinError `playbook_changed`
 */
export async function setActive(store: Store, scope: Scope, place: PlaybookPlace, change: Change, expected: number | null): Promise<Settled> {
  const { source, by, at, ...rest } = change
  for (;;) {
    const standing = await store.artifacts.active(scope, place)
    if (expected !== null && (standing?.revision ?? 0) !== expected) throw changed([{ place, standing }])
    const outcome = outcomeOf(standing, change)
    if (standing && outcome !== 'activated') return { outcome, standing, replaced: null }
    const set = await store.artifacts.activate(scope, {
      ...place,
      ...rest,
      source,
      folderDigest: source === 'folder' ? change.digest : (standing?.folderDigest ?? null),
      revision: (standing?.revision ?? 0) + 1,
      activatedAt: at,
      activatedBy: by,
    })
    if (set.activated) return { outcome, standing: set.standing, replaced: replacedBy(standing, change, outcome) }
  }
}

/** Returns the error if another change came first. It says what is active in the places now. */
export function changed(places: readonly { readonly place: PlaybookPlace; readonly standing: Activation | null }[]): TocsinError {
  const told = places.map(({ place, standing }) => ({ field: `revisions.${place.key}`, message: standingText(standing) }))
  const first = places[0] && `For ${describePlace(places[0].place)} ${told[0]?.message}`
  return new TocsinError('playbook_changed', `${first ?? 'Another playbook is active now'}.`, told)
}

function standingText(standing: Activation | null): string {
  if (!standing) return 'nothing is active (revision 0)'
  const { revision, name, digest, withdrawn } = standing
  return `revision ${revision} is active: ${withdrawn ? 'withdrawn' : `${name}, ${digest}`}`
}

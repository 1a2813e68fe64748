import { approverWords, type KeyId, systemScope } from '../domain/index.ts'
import type { ErrorPlace } from '../errors/index.ts'
import type { Store } from '../storage/index.ts'
import { misspelling } from '../yaml/index.ts'

/** A name in `by` that is close to a word of Tocsin. A principal may have it all the same. */
export interface DoubtfulApprover {
  readonly name: string
  /** What is wrong if no principal has the name. */
  readonly place: ErrorPlace
}

const keysAtOnce = 200

/**
 * Finds the approvers that are probably a misspelt word. Such a word counts as the name of a principal, so nobody could approve.
 * @param placeOf returns the place of an item of `by`
 */
export function doubtfulApprovers(by: readonly string[], placeOf: (index: number, message: string) => ErrorPlace): readonly DoubtfulApprover[] {
  return by.flatMap((name, index) => {
    const { misspelt } = approverWords.includes(name) ? {} : misspelling(name, approverWords)
    return misspelt ? [{ name, place: placeOf(index, `no principal is named \`${name}\`; did you mean \`${misspelt.meant}\`?`) }] : []
  })
}

/** Returns the places of those whose name no principal has. */
export async function unknownApprovers(store: Pick<Store, 'principals'>, doubtful: readonly DoubtfulApprover[]): Promise<readonly ErrorPlace[]> {
  if (doubtful.length === 0) return []
  const left = new Set(doubtful.map(({ name }) => name))
  for (let after: KeyId | null = null; left.size > 0; ) {
    const { items, more } = await store.principals.listKeys(systemScope, { after, limit: keysAtOnce })
    for (const { principal } of items) left.delete(principal.name)
    after = items.at(-1)?.key.id ?? null
    if (!more || after === null) break
  }
  return doubtful.flatMap(({ name, place }) => (left.has(name) ? [place] : []))
}

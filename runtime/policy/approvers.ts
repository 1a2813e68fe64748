import { approverWords, type Policy, systemScope } from '../domain/index.ts'
import type { ErrorPlace } from '../errors/index.ts'
import type { Store } from '../storage/index.ts'
import { misspelling, parseYaml, placeAt, type YamlLimits } from '../yaml/index.ts'

const keysAtOnce = 200

/**
 * Finds approvers that are probably a misspelt word. Such a name counts as a principal, so nobody could approve. If a principal has the name, it
 * is meant.
 * @param text the text of the policy, for the places
 */
export async function misspeltApprovers(
  store: Pick<Store, 'principals'>,
  { approvals: { by } }: Policy,
  { text, file, limits }: { readonly text: string; readonly file: string; readonly limits: YamlLimits },
): Promise<readonly ErrorPlace[]> {
  const suspects = by.flatMap((name, index) => {
    const { misspelt } = approverWords.includes(name) ? {} : misspelling(name, approverWords)
    return misspelt ? [{ ...misspelt, index }] : []
  })
  if (suspects.length === 0) return []
  const found = await principalsOf(store, new Set(suspects.map(({ name }) => name)))
  const unknown = suspects.filter(({ name }) => !found.has(name))
  if (unknown.length === 0) return []
  const { locate } = parseYaml(text, file, limits)
  return unknown.map(({ name, meant, index }) =>
    placeAt(locate, ['approvals', 'by', index], `no principal is named \`${name}\`; did you mean \`${meant}\`?`, 'value'),
  )
}

/** Returns which of these names a principal has. */
async function principalsOf({ principals }: Pick<Store, 'principals'>, names: ReadonlySet<string>): Promise<ReadonlySet<string>> {
  const found = new Set<string>()
  for (let page = { after: null, limit: keysAtOnce } as Parameters<typeof principals.listKeys>[1]; ; ) {
    const { items, more } = await principals.listKeys(systemScope, page)
    for (const { principal } of items) if (names.has(principal.name)) found.add(principal.name)
    const last = items.at(-1)
    if (!more || last === undefined || found.size === names.size) return found
    page = { after: last.key.id, limit: keysAtOnce }
  }
}

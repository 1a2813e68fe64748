import { TtlCache } from '../../../caches/index.ts'
import {
  type Clock,
  inScope,
  isValid,
  type Mention,
  may,
  type OrganizationId,
  type Principal,
  type Scope,
  scopeOf,
  systemScope,
} from '../../../domain/index.ts'
import type { Store } from '../../../storage/index.ts'

/** How long it may take until the principal of a new key can be mentioned. */
const age = 5_000
/** The most keys that are read. */
const mostKeys = 5_000

/** Principals who may read cases. */
export class People {
  readonly #store: Pick<Store, 'principals'>
  readonly #clock: Clock
  readonly #all: TtlCache<readonly Principal[]>

  constructor(store: Pick<Store, 'principals'>, clock: Clock) {
    this.#store = store
    this.#clock = clock
    this.#all = new TtlCache(clock, age, 1)
  }

  /** Returns the principals with a valid key who may read the cases of an organization, sorted by name. */
  async of(organization: OrganizationId): Promise<readonly Principal[]> {
    const all = await this.#all.get('all', () => this.#read())
    return all.filter((principal) => inScope(scopeOf(principal), organization))
  }

  /** Returns the principals with a valid key who may read cases that a scope covers, sorted by name. */
  async within(scope: Scope): Promise<readonly Principal[]> {
    const all = await this.#all.get('all', () => this.#read())
    const { organizations } = scope
    if (organizations === 'all') return all
    return all.filter((principal) => organizations.some((organization) => inScope(scopeOf(principal), organization)))
  }

  async #read(): Promise<readonly Principal[]> {
    const found = new Map<string, Principal>()
    const now = this.#clock.now()
    let after = null
    for (let read = 0; read < mostKeys; ) {
      const page: Awaited<ReturnType<Store['principals']['listKeys']>> = await this.#store.principals.listKeys(systemScope, { after, limit: 500 })
      for (const { key, principal } of page.items) if (isValid(key, now) && may(principal, 'cases:read')) found.set(principal.id, principal)
      after = page.items.at(-1)?.key.id ?? null
      read += page.items.length
      if (!page.more) break
    }
    return [...found.values()].sort((one, other) => one.name.localeCompare(other.name, 'en'))
  }
}

/** The most people whom one comment mentions, and the most `@` that are looked at. */
const mostMentions = 50
const mostSigns = 200
const wordCharacter = /[\p{L}\p{N}_]/u

/**
 * Returns the people whom a text mentions. A mention is `@` and the whole name, in any case. If two names match, the
 * longer one counts. An `@` within a word, as in an e-mail address, mentions nobody.
 */
export function mentionedIn(text: string, people: readonly Pick<Principal, 'id' | 'name'>[]): readonly Mention[] {
  const found = new Map<string, Mention>()
  const folded = text.toLowerCase()
  // Lower case can have another length: İ becomes two characters.
  const named = people.map(({ id, name }) => ({ id, name, folded: name.toLowerCase() }))
  let signs = 0
  for (let at = folded.indexOf('@'); at >= 0 && signs < mostSigns; at = folded.indexOf('@', at + 1)) {
    signs += 1
    if (at > 0 && wordCharacter.test(folded.charAt(at - 1))) continue
    const fitting = named.filter((one) => folded.startsWith(one.folded, at + 1) && !wordCharacter.test(folded.charAt(at + 1 + one.folded.length)))
    const longest = Math.max(0, ...fitting.map((one) => one.folded.length))
    for (const one of fitting) if (one.folded.length === longest) found.set(one.id, { principal: one.id, name: one.name })
    if (found.size >= mostMentions) break
  }
  return [...found.values()].slice(0, mostMentions)
}

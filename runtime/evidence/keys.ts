import { type Clock, type Millis, systemScope } from '../domain/index.ts'
import type { Store } from '../storage/index.ts'
import { type EvidenceKey, keyOf } from './jws.ts'

/** The setting with all keys that have signed evidence: `<public key> <since>`, one in each line, the oldest first. */
const setting = 'evidence_keys'

/** A key that has signed evidence, and since when the installation has it. */
export interface KnownKey {
  readonly key: EvidenceKey
  readonly since: Millis
}

/**
 * The public keys of an installation. Another vault key makes another key for evidence, and what the earlier
 * one signed must stay known. So the store keeps each, before it first signs.
 */
export class EvidenceKeys {
  readonly #settings: Store['settings']
  readonly #clock: Clock
  readonly #own: string

  /** @param own the public key of this process, as base64url */
  constructor({ settings }: Pick<Store, 'settings'>, clock: Clock, own: string) {
    this.#settings = settings
    this.#clock = clock
    this.#own = own
  }

  /** Records the key of this process, unless it is known already. Returns all keys, the newest first. */
  async known(): Promise<readonly KnownKey[]> {
    const line = `${this.#own} ${this.#clock.now()}`
    for (;;) {
      const standing = await this.#settings.settle(systemScope, setting, line)
      const keys = standing.split('\n').map(keyIn)
      if (keys.some(({ key }) => key.x === this.#own)) return keys.toReversed()
      // If another process was faster, look again.
      await this.#settings.replace(systemScope, setting, standing, `${standing}\n${line}`)
    }
  }
}

function keyIn(line: string): KnownKey {
  const [x = '', since = '0'] = line.split(' ')
  return { key: keyOf(x), since: Number(since) }
}

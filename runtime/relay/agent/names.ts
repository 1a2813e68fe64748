import type { LookupAddress } from 'node:dns'

type Found = (error: Error | null, addresses: LookupAddress[]) => void

/** Asks the system for all addresses of a name. */
export type Lookup = (host: string, options: { readonly all: true }, found: Found) => void

/** The most names that are looked up at once, and the most callers that wait for one of them. */
const mostNames = 64
const mostCallers = 256

/**
 * Looks up names. The system has a few threads for that, and a name server that does not answer holds one for long. So a name is looked up once at
 * a time, however many streams want it, and no more names wait than would be found in time anyway.
 */
export class Names {
  readonly #lookup: Lookup
  /** Who waits for each name. */
  readonly #waiting = new Map<string, Found[]>()

  constructor(lookup: Lookup) {
    this.#lookup = lookup
  }

  /** Finds all addresses of a name, as they are now. Fails with EAI_AGAIN if too many others wait. */
  find(host: string, found: Found): void {
    const name = host.toLowerCase()
    const callers = this.#waiting.get(name)
    if (callers ? callers.length >= mostCallers : this.#waiting.size >= mostNames)
      return found(Object.assign(new Error('too many names are being looked up'), { code: 'EAI_AGAIN' }), [])
    if (callers) return void callers.push(found)
    const all = [found]
    this.#waiting.set(name, all)
    this.#lookup(host, { all: true }, (error, addresses) => {
      this.#waiting.delete(name)
      for (const each of all) each(error, addresses)
    })
  }
}

import type { FastifyRequest } from 'fastify'
import type { PrincipalId } from '../../domain/index.ts'

/** Ends of investigations that principals were told, and that reads of the store may not show yet. */
export class ToldEnds {
  readonly #ends = new Map<PrincipalId, Set<Promise<unknown>>>()

  /** @param shown resolves when reads show the end. It must not reject */
  add(principal: PrincipalId, shown: Promise<unknown>): void {
    const theirs = this.#ends.get(principal) ?? new Set()
    this.#ends.set(principal, theirs.add(shown))
    void shown.then(() => {
      theirs.delete(shown)
      if (theirs.size === 0) this.#ends.delete(principal)
    })
  }

  /**
   * Returns what a request waits for, so that whoever was told of an end also reads it: some milliseconds. Null: nothing. A
   * new alert waits for nothing, because its request reads no other alert.
   */
  toShow({ caller, routeOptions, headers }: FastifyRequest): Promise<unknown> | null {
    const theirs = caller && this.#ends.get(caller.principal.id)
    if (!theirs) return null
    const isNew = routeOptions.config.operation?.id === 'createAlert' && headers['idempotency-key'] === undefined
    return isNew ? null : Promise.all(theirs)
  }
}

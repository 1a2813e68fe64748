import type { Json } from '../../../domain/index.ts'

/**
 * Values by name that steps change: the `vars` of a run, and its view of the case. Concurrent steps change a
 * copy, which is merged when they end.
 */
export class Variables {
  readonly values: Record<string, Json>
  /** Names. Null: nothing has changed. */
  #changed: Set<string> | null = null

  constructor(values: Readonly<Record<string, Json>> = {}) {
    this.values = { ...values }
  }

  set(values: Readonly<Record<string, Json>>): void {
    Object.assign(this.values, values)
    this.#changed ??= new Set()
    for (const name of Object.keys(values)) this.#changed.add(name)
  }

  copy(): Variables {
    return new Variables(this.values)
  }

  /** The variables that changed since this object was created. */
  get changes(): Readonly<Record<string, Json>> {
    return Object.fromEntries([...(this.#changed ?? [])].map((name) => [name, this.values[name] ?? null]))
  }
}

import type { Json } from '../../../domain/index.ts'

/** Values by name that steps change: the `vars` of a run, and its view of the case. What runs beside others changes a copy, taken over when they meet. */
export class Variables {
  readonly values: Record<string, Json>
  readonly #changed = new Set<string>()

  constructor(values: Readonly<Record<string, Json>> = {}) {
    this.values = { ...values }
  }

  set(values: Readonly<Record<string, Json>>): void {
    Object.assign(this.values, values)
    for (const name of Object.keys(values)) this.#changed.add(name)
  }

  copy(): Variables {
    return new Variables(this.values)
  }

  /** The variables that changed since this object was created. */
  get changes(): Readonly<Record<string, Json>> {
    return Object.fromEntries([...this.#changed].map((name) => [name, this.values[name] ?? null]))
  }
}

import type { Provider } from '../../../domain/index.ts'

/** A provider. */
export interface ProviderDocument extends Provider {
  /** The folded code. */
  readonly _id: string
}

import type { Provider } from '../../../domain/index.ts'

/** A provider. */
export interface ProviderDocument extends Provider {
  /** The code in lower case. */
  readonly _id: string
}

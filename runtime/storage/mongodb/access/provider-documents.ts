import type { Provider } from '../../../domain/index.ts'

export interface ProviderDocument extends Provider {
  /** The code in lower case. */
  readonly _id: string
}

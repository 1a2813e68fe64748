import type { Scope } from '../../domain/index.ts'

/** Small facts of the installation: the id of its vault key, for one. */
export interface SettingStore {
  /** Sets it if it is not set. Returns what stands. */
  settle(scope: Scope, name: string, value: string): Promise<string>
}

import type { Logger } from 'pino'
import type { Clock, Millis } from '../../domain/index.ts'
import type { Turns } from '../../fairness/index.ts'
import type { PlaybookLibrary } from '../../playbook/index.ts'
import type { PluginLibrary, Scripts } from '../../plugin/index.ts'
import type { StandingPolicies } from '../../policy/index.ts'
import type { Store } from '../../storage/index.ts'
import type { SkillCaller } from '../call/skill-caller.ts'
import type { RunObserver } from './observer.ts'

/** What a run needs of its process. */
export interface Engine {
  readonly store: Store
  readonly playbooks: PlaybookLibrary
  readonly plugins: PluginLibrary
  readonly caller: SkillCaller
  readonly scripts: Scripts
  /** Of organizations, as they stand. */
  readonly policies: StandingPolicies
  readonly clock: Clock
  readonly logger: Logger
  readonly observer?: RunObserver
  /** Of the event loop; absent: nothing waits for one. */
  readonly turns?: Turns
  /** After a fault of the infrastructure: how long to wait before the first automatic retry, the second and so on. Empty: no retries. */
  readonly retryDelays: readonly Millis[]
  /** If processes die this often in a row in a run, and the run makes no progress in between, the run ends. */
  readonly deathLimit: number
}

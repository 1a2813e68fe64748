import type { Logger } from 'pino'
import type { Clock, Millis } from '../../domain/index.ts'
import type { Turns } from '../../fairness/index.ts'
import type { PlaybookLibrary } from '../../playbook/index.ts'
import type { PluginLibrary, Scripts } from '../../plugin/index.ts'
import type { CurrentPolicies } from '../../policy/index.ts'
import type { Store } from '../../storage/index.ts'
import type { SkillCaller } from '../call/skill-caller.ts'
import type { RecordedWay } from '../journal/recorded-way.ts'
import type { RunMeter } from './meter.ts'
import type { RunObserver } from './observer.ts'
import type { RunTracer } from './tracer.ts'

/** What a run needs from its process. */
export interface Engine {
  readonly store: Store
  readonly playbooks: PlaybookLibrary
  readonly plugins: PluginLibrary
  readonly caller: SkillCaller
  readonly scripts: Scripts
  /** The current policies of organizations. */
  readonly policies: CurrentPolicies
  readonly clock: Clock
  readonly logger: Logger
  readonly observer?: RunObserver
  /** Absent: nothing is counted. */
  readonly meter?: RunMeter
  /** Absent: nothing is traced. Else it observes each run, in place of `observer`. */
  readonly tracer?: RunTracer
  /** The way of the recorded run that this engine rehearses. Absent: it executes runs. */
  readonly recorded?: RecordedWay
  /** Turns of the event loop. Absent: nothing waits for a turn. */
  readonly turns?: Turns
  /**
   * How long to wait before the first automatic retry after an infrastructure fault, before the second, and
   * so on. Empty: no retries.
   */
  readonly retryDelays: readonly Millis[]
  /** If processes die this often in a row while they work on a run, without progress in between, the run ends. */
  readonly deathLimit: number
}

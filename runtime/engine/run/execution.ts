import type {
  CaseChange,
  Clock,
  DecisionAction,
  DecisionId,
  Millis,
  PinnedConnection,
  PinnedPolicy,
  Policy,
  Run,
  TimelineEntry,
  TriedWrites,
} from '../../domain/index.ts'
import type { WorkBudget } from '../../expressions/index.ts'
import type { Turns } from '../../fairness/index.ts'
import type { Plan } from '../../playbook/index.ts'
import type { Plugin, Scripts } from '../../plugin/index.ts'
import type { Store } from '../../storage/index.ts'
import type { BoundedWarnings } from '../../telemetry/index.ts'
import type { SkillCaller } from '../call/skill-caller.ts'
import type { CaseLog } from '../end/case-log.ts'
import type { CancelState } from '../guards/cancel.ts'
import type { Spending } from '../guards/impact-budget.ts'
import type { Replay } from '../journal/replay.ts'
import type { RunLog } from '../journal/run-journal.ts'
import type { Waits } from '../journal/waits.ts'
import type { PauseLooks } from '../write/pause-looks.ts'
import type { RunObserver } from './observer.ts'
import type { MemoryUse } from './values/memory-use.ts'

/**
 * One execution of a run: what all of its steps share. Most functions take only the part that they need
 * (`contexts.ts`).
 */
export interface Execution {
  readonly run: Run
  /** Code of the run's organization, to show to people. */
  readonly organizationCode: string
  /** The plan of the playbook whose steps are executed. */
  readonly plan: Plan
  /** Names of the run's playbook and of the sub-playbooks that the steps are in. */
  readonly playbooks: readonly string[]
  /** The connection of a slot of the plan. */
  connection(slot: string): PinnedConnection | undefined
  /** The plugins that the run pinned, by integration id. */
  readonly plugins: ReadonlyMap<string, Plugin>
  readonly store: Store
  readonly caller: SkillCaller
  readonly scripts: Scripts
  readonly clock: Clock
  readonly journal: RunLog
  readonly replay: Replay
  /** The tries of its writes, in earlier executions and in this one. */
  readonly writes: TriedWrites
  readonly caseLog: CaseLog
  /** How much work conditions and templates may still take in this execution. */
  readonly work: WorkBudget
  /** How much memory its outputs and variables take. */
  readonly memory: MemoryUse
  /** Turns of the event loop, shared with all runs of the process. */
  readonly turns: Turns
  /** Logs writes in doubt. */
  readonly unknownWriteLog: BoundedWarnings
  /** When it waited for people, or was stopped by pauses. */
  readonly waits: Waits
  /** The calls that each approval covers, by decision. */
  readonly approvals: Map<DecisionId, readonly DecisionAction[]>
  /** Aborted when this process stops working on the run. */
  readonly signal: AbortSignal
  /** Whether somebody has cancelled the run. Then nothing new begins. */
  readonly cancel: CancelState
  /** Null: nobody watches. */
  readonly observer: RunObserver | null
  /**
   * Resolves when the run's case exists. Wait for it before anything but a read is sent, and before anything about the
   * run is stored. The journal and `record` do so themselves.
   * @throws the store's error
   */
  readonly opened: Promise<void>
  /** Which pauses are active when a write is about to be sent. */
  readonly pauses: PauseLooks
  /** Records an entry in the run's case, and changes the case. Safe to repeat. */
  record(change: CaseChange | null, entry: TimelineEntry): Promise<void>
  /**
   * Checks whether the run's time is over.
   * @param address of the step; null: no step
   * @throws RunFailed `run_timeout`
   */
  checkTime(address: string | null): void
  /** When the run's time will be over. Null: there is no limit, or the run waits for people. */
  deadline(): Millis | null
  /** The approval rules and limits that the run pinned. Null: it pinned none. */
  readonly policy: PinnedPolicy
  /**
   * The organization's current policy, at most a second old: quotas, protected targets.
   * @throws the store's error
   */
  currentPolicy(): Promise<Policy>
  /**
   * Checks whether the impact budget has room for a call, without counting it.
   * @throws RunFailed `impact_exceeded`
   */
  afford(address: string, spending: Spending): void
  /**
   * Counts a call that changes something against the impact budget.
   * @throws RunFailed `impact_exceeded`
   */
  spend(address: string, spending: Spending): void
  /**
   * Call before each step. Counts it, and checks the run's limits.
   * @throws RunFailed `steps_exceeded`, `run_timeout`; GivenUp
   */
  enter(address: string): void
}

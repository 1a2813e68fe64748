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
import type { RunObserver } from './observer.ts'
import type { MemoryUse } from './values/memory-use.ts'

/** What every step of one run shares. */
export interface Execution {
  readonly run: Run
  /** Code of the run's organization, to show to people. */
  readonly organizationCode: string
  /** The playbook whose steps these are. */
  readonly plan: Plan
  /** Names of the run's playbook and of the sub-playbooks that lead to these steps. */
  readonly playbooks: readonly string[]
  /** The connection of a slot of the plan. */
  connection(slot: string): PinnedConnection | undefined
  /** By integration id: as the run pinned them. */
  readonly plugins: ReadonlyMap<string, Plugin>
  readonly store: Store
  readonly caller: SkillCaller
  readonly scripts: Scripts
  readonly clock: Clock
  readonly journal: RunLog
  readonly replay: Replay
  /** What became of its writes, in earlier lives and in this one. */
  readonly writes: TriedWrites
  readonly caseLog: CaseLog
  /** How much work the conditions and templates of the run may still take in this life. */
  readonly work: WorkBudget
  /** How much memory its outputs and variables take. */
  readonly memory: MemoryUse
  /** Turns of the event loop, shared with all runs of the process. */
  readonly turns: Turns
  /** Logs writes in doubt. */
  readonly unknownWriteLog: BoundedWarnings
  /** When it waited for people, or was kept by pauses. */
  readonly waits: Waits
  /** What was asked to be approved, by decision. */
  readonly approvals: Map<DecisionId, readonly DecisionAction[]>
  /** Aborted when this process gives the run up. */
  readonly signal: AbortSignal
  /** Whether somebody has cancelled the run: then nothing begins any more. */
  readonly cancel: CancelState
  /** Null: nobody looks on. */
  readonly observer: RunObserver | null
  /** Writes to the run's case, once. */
  record(change: CaseChange | null, entry: TimelineEntry): Promise<void>
  /** Whether the run's time is over. @param address null: of no step. @throws RunFailed `run_timeout` */
  checkTime(address: string | null): void
  /** When the run's time is over, as it stands; null: it has no limit, or it waits for people. */
  deadline(): Millis | null
  /** What the organization has said of approvals and limits; null: the run began before there were policies. */
  readonly policy: PinnedPolicy | null
  /** What the organization says now, at most a second old: its quotas, and what it protects. @throws the store's error */
  currentPolicy(): Promise<Policy>
  /** Whether the impact budget has room for a call, which is not counted. @throws RunFailed `impact_exceeded` */
  afford(address: string, spending: Spending): void
  /** Counts a call that changes something against the impact budget. @throws RunFailed `impact_exceeded` */
  spend(address: string, spending: Spending): void
  /** Counts a step and checks the run's limits. @throws RunFailed `steps_exceeded`, `run_timeout`; GivenUp */
  enter(address: string): void
}

import { systemScope } from '../../domain/index.ts'
import { WorkBudget } from '../../expressions/index.ts'
import { noTurns } from '../../fairness/index.ts'
import type { Plan } from '../../playbook/index.ts'
import type { Plugin } from '../../plugin/index.ts'
import type { ClaimResult } from '../../storage/index.ts'
import { CaseLog } from '../end/case-log.ts'
import { checkAlive } from '../failure/check-alive.ts'
import { ImpactBudget } from '../guards/impact-budget.ts'
import { runLimits } from '../guards/run-limits.ts'
import { Replay } from '../journal/replay.ts'
import type { Listeners, RunLog } from '../journal/run-journal.ts'
import { Waits } from '../journal/waits.ts'
import { PauseLooks } from '../write/pause-looks.ts'
import { unknownWriteLog } from '../write/unknown-write-log.ts'
import type { Engine } from './engine.ts'
import type { Execution } from './execution.ts'
import { MemoryUse } from './values/memory-use.ts'

export type Claimed = Extract<ClaimResult, { kind: 'claimed' }>

/**
 * Creates the execution that the steps of a claimed run share.
 * @param signal aborts when this process stops working on the run
 * @param log where this execution appends to the journal
 */
export function createExecution(
  engine: Engine,
  plan: Plan,
  plugins: ReadonlyMap<string, Plugin>,
  {
    run,
    journal,
    heldSince,
    opened: opening,
    noted,
  }: Pick<Claimed, 'run' | 'journal' | 'heldSince' | 'opened'> & { readonly noted?: readonly string[] },
  organizationCode: string,
  signal: AbortSignal,
  listeners: Listeners,
  log: RunLog,
): Execution {
  const { store, caller, scripts, clock, observer } = engine
  const { cancel, writes } = listeners
  const opened = opening ?? Promise.resolve()
  const replay = new Replay(journal, engine.recorded ?? null, noted)
  const waits = new Waits(journal)
  for (const { from, to } of engine.recorded?.uncounted ?? []) waits.addPause(from, to)
  if (heldSince !== null) waits.addPause(heldSince, clock.now())
  const limit = runLimits(plan.limits, run.startedAt, { clock, waits, isInTime: () => replay.isInTime(''), waitsAt: () => replay.waitsAt() })
  const { policy } = run.pins
  const bounds = [
    { whose: '', limits: plan.limits.impact },
    { whose: " of the organization's policy", limits: policy.limits.impact },
  ]
  const budget = new ImpactBudget(bounds, replay, log, '')
  return {
    run,
    organizationCode,
    plan,
    playbooks: [run.pins.playbook.name],
    connection: (slot) => run.pins.connections[slot],
    plugins,
    store,
    caller,
    scripts,
    clock,
    signal,
    cancel,
    journal: log,
    replay,
    writes,
    caseLog: new CaseLog(run.id),
    work: new WorkBudget(plan.limits.evaluation),
    memory: new MemoryUse(),
    turns: engine.turns ?? noTurns,
    unknownWriteLog: unknownWriteLog(engine.logger, clock),
    waits,
    approvals: new Map(),
    checkTime: limit.checkTime,
    deadline: limit.deadline,
    observer: observer ?? null,
    opened,
    pauses: new PauseLooks(store, clock, opening ?? null),
    async record(change, entry) {
      await opened
      await store.cases.record(systemScope, run.case, change, entry)
    },
    policy,
    currentPolicy: () => engine.policies.get(run.organization),
    afford: (address, spending) => budget.afford(address, spending),
    spend: (address, spending) => budget.spend(address, spending),
    enter(address) {
      checkAlive(signal)
      // What an earlier execution did is replayed first, even if the run was cancelled. So a write that was
      // under way is settled, and everything that was done is reported.
      if (!replay.isReplaying('')) cancel.check()
      limit.enter(address)
    },
  }
}

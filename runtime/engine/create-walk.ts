import { systemScope } from '../domain/index.ts'
import { WorkBudget } from '../expressions/index.ts'
import { noTurns } from '../fairness/index.ts'
import type { Plan } from '../playbook/index.ts'
import type { Plugin } from '../plugin/index.ts'
import type { ClaimResult } from '../storage/index.ts'
import { Budget } from './budget.ts'
import { doubtLog } from './doubt-log.ts'
import type { Engine } from './engine.ts'
import { Held } from './held.ts'
import { limited } from './limits.ts'
import { Recorded } from './recorded.ts'
import type { Listeners, RunLog } from './run-journal.ts'
import { Tally } from './tally.ts'
import { Waits } from './waits.ts'
import { checkAlive, type Walk } from './walk.ts'

export type Claimed = Extract<ClaimResult, { kind: 'claimed' }>

/**
 * Creates what the steps of one life of a run share.
 * @param signal aborts when this process gives the run up
 * @param log where this life appends to the journal
 */
export function createWalk(
  engine: Engine,
  plan: Plan,
  plugins: ReadonlyMap<string, Plugin>,
  { run, journal, heldSince }: Pick<Claimed, 'run' | 'journal' | 'heldSince'>,
  organizationCode: string,
  signal: AbortSignal,
  listeners: Listeners,
  log: RunLog,
): Walk {
  const { store, caller, scripts, clock, observer } = engine
  const { cancel, writes } = listeners
  const recorded = new Recorded(journal)
  const waits = new Waits(journal)
  if (heldSince !== null) waits.kept(heldSince, clock.now())
  const limit = limited(plan.limits, run.startedAt, { clock, waits, ahead: () => recorded.ahead('') })
  const policy = run.pins.policy ?? null
  const bounds = [
    { whose: '', limits: plan.limits.impact },
    ...(policy ? [{ whose: " of the organization's policy", limits: policy.limits.impact }] : []),
  ]
  const budget = new Budget(bounds, recorded, log, '')
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
    recorded,
    writes,
    tally: new Tally(run.id),
    work: new WorkBudget(plan.limits.evaluation),
    held: new Held(),
    turns: engine.turns ?? noTurns,
    doubts: doubtLog(engine.logger, clock),
    waits,
    approvals: new Map(),
    checkTime: limit.checkTime,
    deadline: limit.deadline,
    observer: observer ?? null,
    async record(change, entry) {
      await store.cases.record(systemScope, run.case, change, entry)
    },
    policy,
    standing: () => engine.policies.get(run.organization),
    afford: (address, spending) => budget.afford(address, spending),
    spend: (address, spending) => budget.spend(address, spending),
    enter(address) {
      checkAlive(signal)
      // What an earlier life did is gone through first: a write that was under way is settled, and all that was done is told.
      if (!recorded.ahead('')) cancel.check()
      limit.enter(address)
    },
  }
}

import type { Logger } from 'pino'
import { type Alert, type Clock, type Failure, type Json, type Run, systemScope } from '../domain/index.ts'
import { isTocsinError, messageOf, type TocsinError } from '../errors/index.ts'
import { type Plan, type PlaybookLibrary, readInputs } from '../playbook/index.ts'
import type { Plugin, PluginLibrary } from '../plugin/index.ts'
import type { ClaimResult, Store } from '../storage/index.ts'
import { runBody } from './body.ts'
import type { SkillCaller } from './caller.ts'
import { bodyFrame } from './frame.ts'
import type { RunObserver } from './observer.ts'
import { Recorded } from './recorded.ts'
import { runRoots } from './roots.ts'
import { RunJournal } from './run-journal.ts'
import { GivenUp, RunFailed, StepFailed, Superseded } from './signals.ts'
import { Tally } from './tally.ts'
import { Variables } from './variables.ts'
import { checkAlive, failed, type Walk } from './walk.ts'

/** What a run needs of its process. */
export interface Engine {
  readonly store: Store
  readonly playbooks: PlaybookLibrary
  readonly plugins: PluginLibrary
  readonly caller: SkillCaller
  readonly clock: Clock
  readonly logger: Logger
  readonly observer?: RunObserver
}

interface Outcome {
  readonly state: 'completed' | 'failed'
  readonly reason: string | null
  readonly failure: Failure | null
}

type Claimed = Extract<ClaimResult, { kind: 'claimed' }>

function createWalk(
  engine: Engine,
  plan: Plan,
  plugins: ReadonlyMap<string, Plugin>,
  { run, position, journal }: Claimed,
  signal: AbortSignal,
): Walk {
  const { store, caller, clock, observer } = engine
  let steps = 0
  const deadline = plan.limits.time === null ? Number.POSITIVE_INFINITY : run.startedAt + plan.limits.time
  return {
    run,
    plan,
    plugins,
    store,
    caller,
    clock,
    signal,
    journal: new RunJournal(store, run.id, run.epoch, position),
    recorded: new Recorded(journal),
    tally: new Tally(run.id),
    observer: observer ?? null,
    async record(change, entry) {
      await store.cases.record(systemScope, run.case, change, entry)
    },
    enter(address) {
      checkAlive(signal)
      steps += 1
      if (steps > plan.limits.steps) throw new RunFailed(failed('steps_exceeded', `More than ${plan.limits.steps} steps.`, address))
      if (clock.now() > deadline) throw new RunFailed(failed('run_timeout', `The run began ${clock.now() - run.startedAt} ms ago.`, address))
    },
  }
}

/** Walks the plan to its end, or to a `stop`. What fails the run, or gives it up, is thrown. */
async function walkPlan(walk: Walk, alert: Alert): Promise<Outcome> {
  const vars = new Variables()
  const view = new Variables({ case_id: walk.run.caseId })
  walk.observer?.began?.({ vars: vars.values, caseView: view.values })
  const roots = runRoots(alert, readInputs(walk.plan, alert.content), walk.plan, walk.run)
  const frame = bodyFrame('', roots, vars, view, walk.recorded.begun(''))
  const stopped = await runBody(walk, frame, walk.plan.steps)
  await giveVerdict(walk, frame.context)
  if (stopped === null) return { state: 'completed', reason: null, failure: null }
  const { outcome, reason, message } = stopped
  return { state: outcome, reason, failure: outcome === 'failed' ? failed('run_stopped', message, null) : null }
}

/**
 * How a run ends for what was thrown in it. What only interrupts it (another life has taken over, the process stops, the store
 * does not answer) is thrown on: then it has not ended.
 */
function outcomeOf(error: unknown, { id }: Run, logger: Logger): Outcome {
  const over = (failure: Failure): Outcome => ({ state: 'failed', reason: null, failure })
  if (error instanceof StepFailed || error instanceof RunFailed) return over(error.failure)
  if (error instanceof Superseded || error instanceof GivenUp) throw error
  if (isTocsinError(error)) {
    if (error.code === 'store_unavailable') throw error
    if (error.entry.status < 500) return over(failed(error.code, explain(error), null))
  }
  // A defect would meet every later life of the run in the same place: better an end that says so than a run without one.
  logger.error({ run: id, error: error instanceof Error ? error.stack : messageOf(error) }, 'investigation failed unexpectedly')
  return over(failed('investigation_failed', messageOf(error), null))
}

function explain({ message, places }: TocsinError): string {
  return [message, ...places.map(({ field, message: why }) => `${field}: ${why}`)].join('; ')
}

async function giveVerdict({ plan, run, clock, record }: Walk, context: Parameters<NonNullable<Plan['verdict']>['render']>[0]): Promise<void> {
  const verdict = plan.verdict?.render(context) as { readonly summary?: Json } | string | undefined
  const summary = typeof verdict === 'object' ? verdict?.summary : verdict
  if (summary === undefined || summary === null) return
  const text = String(summary)
  await record(
    { summary: text },
    { key: `${run.id}#verdict`, at: clock.now(), actor: { run: run.id, step: 'verdict' }, body: { kind: 'verdict', text } },
  )
}

/**
 * Takes a claimed run to its end.
 * @param obstacle why it cannot begin, if so
 * @throws Superseded, GivenUp, or the store's error: the run is then not ended, and whoever claims it next goes on
 */
export async function driveRun(engine: Engine, claimed: Claimed, alert: Alert, obstacle: Failure | null, signal: AbortSignal): Promise<void> {
  const { run } = claimed
  const { clock, store } = engine
  let tally = new Tally(run.id)
  let journal = new RunJournal(store, run.id, run.epoch, claimed.position)
  let outcome: Outcome
  try {
    if (obstacle) throw new RunFailed(obstacle)
    const plan = await engine.playbooks.byDigest(systemScope, run.pins.playbook.digest)
    const pinned = Object.entries(run.pins.plugins).map(async ([id, digest]) => [id, await engine.plugins.byDigest(digest)] as const)
    const walk = createWalk(engine, plan, new Map(await Promise.all(pinned)), claimed, signal)
    tally = walk.tally
    journal = walk.journal
    outcome = await walkPlan(walk, alert)
  } catch (error) {
    outcome = outcomeOf(error, run, engine.logger)
  }
  checkAlive(signal)
  const at = clock.now()
  const { failure } = outcome
  if (failure)
    tally.add('failure', at, {
      kind: 'failure',
      code: failure.code,
      text: failure.step === null ? failure.message : `${failure.step}: ${failure.message}`,
    })
  await journal.end({ ...outcome, at, entries: tally.entries(at) })
}

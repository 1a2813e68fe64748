import {
  type Decision,
  defaultPolicy,
  type Failure,
  type Json,
  type OrganizationId,
  type PinnedConnection,
  type PinnedPolicy,
  type RunId,
  type RunPins,
  runId,
  systemScope,
  unlimitedPolicy,
} from '../domain/index.ts'
import { type Engine, executeRun, type Observed, type PreparedRun, type RecordedWay, RunPreparer } from '../engine/index.ts'
import { registry } from '../errors/index.ts'
import type { Context } from '../expressions/index.ts'
import type { Plan, PlanStep, PlaybookLibrary } from '../playbook/index.ts'
import type { Plugin, PluginLibrary } from '../plugin/index.ts'
import type { CurrentPolicies } from '../policy/index.ts'
import { openMemoryStore } from '../storage/embedded/index.ts'
import type { Store, TimelinePart } from '../storage/index.ts'
import { createLogger } from '../telemetry/index.ts'
import { slotsOf } from './plan-steps.ts'
import { countedIds, placeAlert, placeConnections, session } from './stage.ts'
import { NotAsked, RehearsedCaller, Unanswered } from './stand-ins/caller.ts'
import { JumpingClock } from './stand-ins/jumping-clock.ts'
import { nobody, type People, Waker } from './stand-ins/people.ts'
import { scripts, stillDuring } from './stand-ins/scripts.ts'
import { answersOf, connectionsOf, ownDecision, ownPart, runnerOf } from './stand-ins/sub-playbook-runner.ts'
import type { Recorded, Rehearsal, Rehearsed } from './types.ts'

const logger = createLogger({ level: 'silent' })

function playbookLibrary(plan: Plan): PlaybookLibrary {
  return { resolve: async () => plan, byDigest: async () => plan, forget: () => {} }
}

function pluginLibrary(plugins: ReadonlyMap<string, Plugin>): PluginLibrary {
  const find = (digest: string): Plugin => {
    const found = [...plugins.values()].find((plugin) => plugin.digest === digest)
    if (!found) throw new Error(`no plugin ${digest}`)
    return found
  }
  return { active: async () => plugins, byDigest: async (digest) => find(digest), forget: () => {} }
}

/**
 * Executes a plan in the engine, with a store in memory and a clock that jumps. `answers` answers
 * its calls. Nothing leaves the process. The same rehearsal always has the same result.
 *
 * @throws what `answers` throws
 */
export async function rehearse(rehearsal: Rehearsal): Promise<Rehearsed> {
  const { plan, inputs, answers, connections, people = nobody } = rehearsal
  if (inputs === undefined) return rehearsePlan(rehearsal)
  const run = { plan: runnerOf(plan, inputs), connections: connectionsOf(plan, connections), answers: answersOf(plan, answers) }
  const asked: People = { decide: (decision) => people.decide(ownDecision(decision)) }
  return ownPart(plan, await rehearsePlan({ ...rehearsal, ...run, people: asked }))
}

async function rehearsePlan(rehearsal: Rehearsal): Promise<Rehearsed> {
  const clock = new JumpingClock(rehearsal.now)
  const store = openMemoryStore(clock)
  try {
    return await play(rehearsal, clock, store)
  } finally {
    await store.close()
  }
}

async function play(rehearsal: Rehearsal, clock: JumpingClock, store: Store): Promise<Rehearsed> {
  const { plan, plugins, answers, now } = rehearsal
  const alert = await placeAlert(store, plan, rehearsal)
  await placeConnections(store, plan, alert.organization, rehearsal)
  await store.sessions.open(systemScope, { id: session, host: 'rehearsal', pid: 0 })
  const caller = new RehearsedCaller(answers, clock)
  const entered = new Map<string, PlanStep>()
  const failed = new Map<string, string>()
  let outputs: Json = null
  let observed: Observed = { vars: {}, caseView: {}, inputs: {} }
  // The policy sets no limits.
  const policies: CurrentPolicies = { get: async () => ({ ...unlimitedPolicy, protected: rehearsal.protected ?? [] }), set: async () => null }
  const waker = new Waker(store, clock, rehearsal.people ?? nobody)
  const engine: Engine = {
    store,
    playbooks: playbookLibrary(
      ending(plan, (left) => {
        outputs = left
      }),
    ),
    plugins: pluginLibrary(plugins),
    policies,
    caller,
    scripts: stillDuring(scripts, clock),
    clock,
    logger,
    ...(rehearsal.recorded && { recorded: recordedWay(rehearsal.recorded, clock, waker) }),
    retryDelays: [],
    deathLimit: 1,
    observer: {
      began: (execution) => {
        observed = execution
      },
      entered: (address, step) => void entered.set(address, step),
      failed: (address, _step, { code }) => void failed.set(address, code),
    },
  }
  const bound = { of: (organization: OrganizationId) => store.connections.forOrganization(systemScope, organization) }
  const preparer = new RunPreparer(bound, engine.playbooks, engine.plugins, policies, countedIds())
  const { pins, opening } = asBound(await preparer.prepare(alert), plan, rehearsal)
  const id = rehearsal.run?.id ?? runId(alert.uuid, 1)
  const claim = { run: id, alert: alert.uuid, organization: alert.organization, type: alert.type ?? '', attempt: 1, session, at: now, pins, opening }
  const live = async (): Promise<void> => {
    const claimed = await store.runs.claim(systemScope, { ...claim, at: clock.now() })
    if (claimed.kind !== 'claimed') throw new Error(`the claim was answered with ${claimed.kind}`)
    const { run } = claimed
    const shown = { ...run, attempt: rehearsal.run?.attempt ?? run.attempt, caseId: rehearsal.caseId ?? run.caseId }
    await executeRun(engine, { ...claimed, run: shown }, alert, new AbortController().signal)
  }
  let answered = true
  try {
    do await live()
    while (await waker.wakes(id))
  } catch (error) {
    if (error instanceof NotAsked) throw error.cause
    if (!(error instanceof Unanswered)) throw error
    answered = false
  }
  const ended = await store.runs.get(systemScope, id)
  const found = ended && (await store.cases.get(systemScope, ended.case))
  if (!ended || !found) throw new Error('the run is gone')
  const asked = await decisionsOf(store, id)
  return {
    outcome: answered && ended.state !== 'running' ? ended.state : 'unanswered',
    reason: ended.reason,
    failure: ended.failure,
    calls: caller.calls,
    unanswered: caller.unanswered,
    decisions: asked,
    inDoubt: doubtsOf(asked, failed, entered),
    vars: { ...observed.vars },
    outputs,
    case: found,
    timeline: (await store.cases.timeline(systemScope, ended.case, everything)).entries,
    trace: { entered, failed, decided: await decisions(store, id) },
    took: caller.took,
    elapsed: clock.now() - now,
  }
}

/** Lets the engine go on when the recorded run did. */
function recordedWay(recorded: Recorded, clock: JumpingClock, waker: Waker): RecordedWay {
  return {
    ...recorded,
    waited(address, until) {
      const over = recorded.waited(address)
      if (over) return clock.arrival(Math.max(over.at, until), over.order)
      // Between two tries of a call, or two calls of a poll. The recorded answer arrives when it did.
      return recorded.ended(address) && Promise.resolve()
    },
    async scripted(address) {
      const end = recorded.ended(address)
      if (end) await clock.arrival(end.at, end.order)
    },
    closes: (decision) => waker.closes(decision),
  }
}

/** No limit is needed: one person runs the rehearsal, in a process of their own. */
const everything: TimelinePart = { before: null, limit: 1_000_000, characters: Number.MAX_SAFE_INTEGER }

/** Returns the plan, changed to report its outputs when the run reaches its verdict. */
function ending(plan: Plan, tell: (outputs: Json) => void): Plan {
  const { outputs, verdict } = plan
  if (outputs === null) return plan
  const render = (context: Context): Json | undefined => {
    try {
      tell(outputs.render(context) ?? null)
    } catch {
      // The run may not have reached every step that the outputs name. A calling playbook would get
      // an error then.
      tell(null)
    }
    return verdict?.render(context)
  }
  return { ...plan, verdict: { source: null, reads: verdict?.reads ?? [], constant: false, render } }
}

/** Returns the writes in doubt: those that people were asked about, and those that failed as in doubt. */
function doubtsOf(asked: readonly Decision[], failed: ReadonlyMap<string, string>, entered: ReadonlyMap<string, PlanStep>): readonly string[] {
  // A handler's request counts as its step.
  const put = asked.filter(({ kind }) => kind === 'in_doubt').map(({ step }) => step.split('#', 1)[0] ?? step)
  const left = [...failed]
    .filter(([address, code]) => code === 'write_in_doubt' && entered.get(address)?.kind === 'skill')
    .map(([address]) => address)
  return [...new Set([...put, ...left])]
}

async function decisionsOf(store: Store, run: RunId): Promise<readonly Decision[]> {
  const { items } = await store.decisions.list(systemScope, { runs: [run], after: null, limit: 1_000 })
  return items.toReversed()
}

async function decisions(store: Store, run: RunId): Promise<ReadonlyMap<string, Json>> {
  const entries = await store.journal.read(systemScope, run)
  const records = entries.flatMap((entry) => entry.records)
  return new Map(records.flatMap((record) => (record.kind === 'decided' ? [[record.address, record.value] as const] : [])))
}

/**
 * Returns the pins with only the requested slots, even if other connections could serve. Instances
 * get the requested names.
 */
function asBound(
  { pins, opening }: PreparedRun,
  plan: Plan,
  { connections, asked = [] }: Pick<Rehearsal, 'connections' | 'asked'>,
): Omit<PreparedRun, 'concurrency' | 'fingerprint'> {
  const bound = Object.entries(pins.connections).flatMap(([slot, pin]): [string, PinnedConnection][] => {
    const instance = connections[slot]
    return instance === false ? [] : [[slot, instance === undefined ? pin : { ...pin, instance }]]
  })
  const unbound = Object.entries(slotsOf(plan)).find(([slot, { optional }]) => !optional && connections[slot] === false)
  const refused = pins.refused ?? (unbound && missing(unbound[0]))
  const kept: RunPins = { ...pins, policy: asking(asked), connections: Object.fromEntries(bound), ...(refused && { refused }) }
  return { pins: kept, opening }
}

/** Returns a policy that sets no limits, and that asks people about these skills only. */
function asking(skills: readonly string[]): PinnedPolicy {
  const { approvals, limits } = defaultPolicy
  const answers = Object.fromEntries(skills.map((skill) => [skill, 'ask'] as const))
  return { revision: 0, limits, approvals: { ...approvals, high: 'none', skills: answers } }
}

function missing(slot: string): Failure {
  return { code: 'connection_missing', message: `${slot} is not bound in this rehearsal.`, remedy: registry.connection_missing.remedy, step: null }
}

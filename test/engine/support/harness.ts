import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'
import { systemClock } from '../../../runtime/config/index.ts'
import {
  type Alert,
  type AlertUuid,
  asId,
  type Case,
  type CaseUuid,
  type Connection,
  type ConnectionId,
  type Decision,
  type DecisionId,
  defaultPolicy,
  type Failure,
  type JournalRecord,
  type Json,
  type OrganizationId,
  type PinnedPolicy,
  type Policy,
  type PrincipalId,
  type Run,
  type RunId,
  runId,
  type SessionId,
  systemScope,
  type TimelineEntry,
  tokensOf,
  type Verdict,
} from '../../../runtime/domain/index.ts'
import type { SkillCall } from '../../../runtime/engine/call/skill-caller.ts'
import { DecisionService, type GivenAnswer } from '../../../runtime/engine/decisions/decision-service.ts'
import { GivenUp } from '../../../runtime/engine/failure/signals.ts'
import { bindSlots } from '../../../runtime/engine/prepare/bind-slots.ts'
import { executeRun } from '../../../runtime/engine/run/execute-run.ts'
import { RunService } from '../../../runtime/engine/run/run-service.ts'
import { UndoService } from '../../../runtime/engine/undo/undo-service.ts'
import { TocsinError } from '../../../runtime/errors/index.ts'
import { compilePlaybook, type Plan, skillLookup, sourcesOf, withPlaybooks } from '../../../runtime/playbook/index.ts'
import { type CallResult, createIsolates, createScripts, loadPluginFolder, type Plugin, type Scripts } from '../../../runtime/plugin/index.ts'
import type { Job } from '../../../runtime/queue/index.ts'
import type { ClaimResult, Store } from '../../../runtime/storage/index.ts'
import { createLogger } from '../../../runtime/telemetry/index.ts'
import { SleeplessClock } from '../../support/clocks/sleepless-clock.ts'
import { openUnhurriedStore } from '../../support/stores/unhurried-store.ts'
import { wholeTimeline } from '../../support/timeline.ts'
import { nobodyAsked } from './nobody-asked.ts'

const loaded = loadPluginFolder(fileURLToPath(new URL('plugins/directory', import.meta.url)))
/** Runs in real time, whatever the test's clock says. */
const scripts = createScripts(createIsolates({ calls: 2, processes: 1 }, systemClock), systemClock)
/** The connection that every slot is bound to. */
export const connection: Connection = {
  id: asId<ConnectionId>('c'),
  organization: null,
  integration: 'directory',
  instance: 'dir-prod',
  description: '',
  fields: { base_url: 'https://directory.example' },
  secrets: {},
  isDefault: true,
  slots: [],
  expiresAt: null,
  remoteAgent: null,
  role: null,
  lastTest: null,
  revision: 1,
  createdAt: 0,
  createdBy: asId<PrincipalId>('somebody'),
  modifiedAt: 0,
}
const organization = asId<OrganizationId>('acme')

/** What the external system does with one call. If it throws `Crash`, the process dies while it waits for the answer. */
export type Answer = (call: SkillCall, number: number) => CallResult | Promise<CallResult>

export class Crash extends GivenUp {}

export const done = (output: Json): CallResult => ({ ok: true, output })
export const failing = (effect: 'not_sent' | 'refused' | 'unknown' | 'done', code = 'network'): CallResult => ({
  ok: false,
  effect,
  failure: { code, message: `${code} (${effect})`, remedy: null, retryAfter: null },
})

/** The time from a death to the next execution. After this, nothing that the dead process was about to send can leave. */
const longAfter = 40_000

/** One alert and the executions of its run, on an embedded store in memory. The test plays the external system. */
export class Bench {
  readonly store: Store
  readonly clock: SleeplessClock
  /** Whether the next execution begins while a request of the dead process may still leave. */
  soon = false
  /** Whether a crash kills the process. If not, the process was told to stop and closed its session. */
  deadly = false
  readonly calls: SkillCall[] = []
  /** Lines of the log. */
  readonly log: Readonly<Record<string, unknown>>[] = []
  /** Jobs that were put into the queue. */
  readonly jobs: Job[] = []
  /** The policy that the run pins. */
  policy: PinnedPolicy = nobodyAsked
  /** The organization's current policy: its quotas and what it protects. */
  standing: Policy = defaultPolicy
  /** Where scripts run. */
  scripts: Scripts = scripts
  /** Why the run may not begin. Null: it may. */
  refused: Failure | null = null
  /** What the store does not have any more. Null: it has both. */
  gone: 'playbook' | 'plugin' | null = null
  /** How many deaths in a row end a run. */
  deathLimit = 3
  /** How long to wait before each automatic retry. */
  retryDelays: readonly number[] = []
  /** The plugins that are loaded when the run is undone. */
  plugins: ReadonlyMap<string, Plugin>
  readonly #plugin: Plugin
  #plan: Plan
  readonly #alert: Alert
  #lives = 0

  private constructor(store: Store, clock: SleeplessClock, plugin: Plugin, plan: Plan, alert: Alert) {
    this.store = store
    this.clock = clock
    this.#plugin = plugin
    this.plugins = new Map([[plugin.id, plugin]])
    this.#plan = plan
    this.#alert = alert
  }

  /** @param subs texts of the sub-playbooks that it may run */
  static async open(playbook: string, content: object = {}, subs: readonly string[] = []): Promise<Bench> {
    const clock = new SleeplessClock()
    const store = openUnhurriedStore(clock)
    const plugin = await loaded
    const sources = sourcesOf(subs.map((text, index) => ({ text, file: `sub-${index}.yaml` })))
    const plan = compilePlaybook(playbook, 'test.yaml', withPlaybooks(skillLookup(new Map([[plugin.id, plugin]])), sources))
    const text = JSON.stringify(content)
    const [inserted] = await store.alerts.insert(systemScope, [
      {
        uuid: asId<AlertUuid>('0190-alert'),
        organization,
        organizationCode: 'ACME',
        provider: 'edr',
        numberedAs: 'ACME-EDR',
        type: 'test',
        content: text,
        name: 'Test alert',
        tokens: tokensOf(text),
        createdAt: clock.now(),
        createdAtSource: null,
        createdBy: asId('principal'),
        idempotency: null,
      },
    ])
    if (!inserted) throw new Error('no alert')
    return new Bench(store, clock, plugin, plan, inserted.alert)
  }

  /** Replaces the playbook, as a defect would: the run now gets another one than it began with. */
  swap(playbook: string): void {
    this.#plan = compilePlaybook(playbook, 'test.yaml', skillLookup(new Map([[this.#plugin.id, this.#plugin]])))
  }

  /** Attempt of the alert. Rises with each retry. */
  attempt = 1

  get run() {
    return runId(this.#alert.uuid, this.attempt)
  }

  /** Starts the attempts that are due. Returns how many there were. */
  async retryDue(): Promise<number> {
    const due = await this.store.alerts.retryDue(systemScope, this.clock.now(), 9)
    this.attempt += due.length
    return due.length
  }

  /** Somebody asks for another attempt. */
  async retry(): Promise<void> {
    const retried = await this.store.alerts.retry(systemScope, this.#alert.uuid, this.clock.now())
    if (retried?.retried) this.attempt += 1
  }

  /**
   * One execution: claims the run in a new session and executes it until it ends, sleeps or dies. Returns
   * whether it ended.
   * @param store the store as the execution sees it
   */
  async live(answer: Answer, store: Store = this.store): Promise<boolean> {
    const session = asId<SessionId>(`session-${++this.#lives}`)
    await this.store.sessions.open(systemScope, { id: session, host: 'test', pid: this.#lives })
    const claimed = await this.store.runs.claim(systemScope, {
      run: this.run,
      alert: this.#alert.uuid,
      organization,
      type: 'test',
      attempt: this.attempt,
      session,
      at: this.clock.now(),
      pins: {
        playbook: { name: this.#plan.name, digest: this.#plan.digest },
        playbooks: Object.fromEntries(Object.values(this.#plan.playbooks).map(({ name, digest }) => [name, digest])),
        policy: this.policy,
        ...(this.refused && { refused: this.refused }),
        plugins: { directory: this.#plugin.digest },
        connections: bindSlots(this.#plan, [connection]).connections,
      },
      opening: { uuid: asId<CaseUuid>('case-1'), title: 'Test', severity: 'low', join: null },
    })
    return this.#drive(claimed, answer, store, session)
  }

  /** One execution of an undo of the run, like `live`. */
  async liveUndo(id: RunId, answer: Answer, store: Store = this.store): Promise<boolean> {
    const session = asId<SessionId>(`session-${++this.#lives}`)
    await this.store.sessions.open(systemScope, { id: session, host: 'test', pid: this.#lives })
    return this.#drive(await this.store.runs.claimUndo(systemScope, { run: id, session, at: this.clock.now() }), answer, store, session)
  }

  /** Libraries that return this playbook and this plugin for every digest. */
  get libraries() {
    return { playbooks: { byDigest: async () => this.#plan }, plugins: { byDigest: async () => this.#plugin } }
  }

  /** @param store the store as seen by the process that accepts the undo */
  undoDesk(store: Store = this.store): UndoService {
    const plugins = { active: async () => this.plugins, byDigest: async () => this.#plugin, forget: () => {} }
    return new UndoService(store, plugins, { enqueue: async (jobs) => void this.jobs.push(...jobs) }, this.clock)
  }

  /** @throws TocsinError as the libraries do, if it is gone */
  #pinned<T>(kind: 'playbook' | 'plugin', pinned: T): T {
    if (this.gone === kind) throw new TocsinError(kind === 'plugin' ? 'integration_unknown' : 'playbook_unknown', `The store has no ${kind} d.`)
    return pinned
  }

  async #drive(claimed: ClaimResult, answer: Answer, store: Store, session: SessionId): Promise<boolean> {
    if (claimed.kind !== 'claimed') throw new Error(`the claim was answered with ${claimed.kind}`)
    const engine = {
      store,
      clock: this.clock,
      retryDelays: this.retryDelays,
      deathLimit: this.deathLimit,
      logger: createLogger({ level: 'info', destination: { write: (line: string) => void this.log.push(JSON.parse(line)) } }),
      playbooks: { resolve: async () => this.#plan, byDigest: async () => this.#pinned('playbook', this.#plan), forget: () => {} },
      plugins: {
        active: async () => new Map([['directory', this.#plugin]]),
        byDigest: async () => this.#pinned('plugin', this.#plugin),
        forget: () => {},
      },
      policies: { get: async () => this.standing, set: async () => null },
      scripts: this.scripts,
      caller: {
        call: async (call: SkillCall) => {
          this.calls.push(call)
          return answer(call, this.calls.length)
        },
      },
    }
    try {
      const ended = await executeRun(engine, claimed, this.#alert, new AbortController().signal)
      // Whoever waits for the end gets this alert. The store must show the same one.
      if (ended && !claimed.run.undo && this.attempt === 1) expect([ended]).toEqual(await this.store.alerts.get(systemScope, [ended.uuid]))
      return ended !== null
    } catch (error) {
      if (!(error instanceof GivenUp)) throw error
      if (this.deadly) await this.store.sessions.bury(systemScope, -1)
      if (!this.soon) this.clock.advance(longAfter)
      return false
    } finally {
      if (!this.deadly) await this.store.sessions.close(systemScope, session)
    }
  }

  /** Returns the decisions that the run has asked for, in order. */
  async decisions(): Promise<readonly Decision[]> {
    return (await this.store.decisions.list(systemScope, { runs: [this.run], after: null, limit: 99 })).items.toReversed()
  }

  /** Answers the first open decision. */
  async answer(verdict: Verdict, by = 'ada', parts: Partial<GivenAnswer> = {}): Promise<Decision> {
    const open = (await this.decisions()).find(({ state }) => state === 'open')
    if (!open) throw new Error('no decision is open')
    return this.answerTo(open.id, verdict, by, this.store, parts)
  }

  /**
   * Answers a decision.
   * @param store the store as seen by the process that accepts the answer
   */
  answerTo(id: DecisionId, verdict: Verdict, by: string, store: Store = this.store, parts: Partial<GivenAnswer> = {}): Promise<Decision> {
    const permissions = ['decisions:answer'] as const
    const principal = { id: asId<PrincipalId>(by), name: by, permissions, organizations: 'all' as const, createdAt: 0, createdBy: null }
    return this.#desk(store).answer(principal, id, { verdict, reason: null, output: null, ...parts })
  }

  /**
   * Cancels the run.
   * @param store the store as seen by the process that accepts the request
   */
  cancel(reason: string | null = null, by = 'ada', store: Store = this.store): Promise<Run> {
    const principal = {
      id: asId<PrincipalId>(by),
      name: by,
      permissions: ['runs:write'] as const,
      organizations: 'all' as const,
      createdAt: 0,
      createdBy: null,
    }
    const queue = { enqueue: async (jobs: readonly Job[]) => void this.jobs.push(...jobs) }
    return new RunService(store, queue, this.clock).cancel(principal, this.run, reason)
  }

  /** Gives up a write in doubt for which the run sleeps, and executes the run again. Returns what was asked. */
  async giveUp(answer: Answer = () => Promise.reject(new Error('nothing is to be called any more'))): Promise<Decision> {
    if ((await this.ended()).state !== 'waiting') throw new Error('the run does not wait')
    const decision = await this.answer('give_up')
    if (decision.kind !== 'in_doubt') throw new Error(`it waits for an ${decision.kind}`)
    await this.live(answer)
    return decision
  }

  get desk(): DecisionService {
    return this.#desk(this.store)
  }

  #desk(store: Store): DecisionService {
    return new DecisionService(store, { enqueue: async (jobs) => void this.jobs.push(...jobs) }, this.clock)
  }

  /** The skills that were called, in order. */
  get called(): string[] {
    return this.calls.map(({ skill, input }) => `${skill.id} ${(input as { user?: string }).user ?? ''}`.trim())
  }

  async ended(): Promise<Run> {
    const run = await this.store.runs.get(systemScope, this.run)
    if (!run) throw new Error('no run')
    return run
  }

  async case(): Promise<{ case: Case; timeline: readonly TimelineEntry[] }> {
    const run = await this.ended()
    const found = await this.store.cases.get(systemScope, run.case)
    if (!found) throw new Error('no case')
    return { case: found, timeline: await wholeTimeline(this.store, systemScope, run.case) }
  }

  async records(): Promise<JournalRecord[]> {
    return (await this.store.journal.read(systemScope, this.run)).flatMap(({ records }) => records)
  }

  async close(): Promise<void> {
    await this.store.close()
  }
}

/** Returns a playbook of the given steps, with the slot that the tests use. */
export function playbook(steps: string, rest = ''): string {
  return `format: 1
playbook: test
alert_type: test
description: For a test.
connections: { directory: { integration: directory } }
${rest}
steps:
${steps
  .trim()
  .split('\n')
  .map((line) => `  ${line}`)
  .join('\n')}
`
}

/** Returns a step that calls a skill of the test's directory for a user. */
export const call = (id: string, skill: string, user: string, rest = ''): string =>
  `- id: ${id}\n  skill: directory.${skill}\n  with: { user: ${user} }\n${rest}`

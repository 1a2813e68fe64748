import {
  type Alert,
  type AlertUnderWay,
  asId,
  beginningOf,
  type CaseJoin,
  type CaseOpening,
  type CaseUuid,
  type Connection,
  type Digest,
  type Failure,
  type Fingerprint,
  type Ids,
  pinnedPolicy,
  type Run,
  type RunPins,
  type SentAlert,
} from '../../domain/index.ts'
import { isTocsinError } from '../../errors/index.ts'
import { type Context, mostWork, type ValueTemplate, WorkBudget } from '../../expressions/index.ts'
import { noTurns, type Turns } from '../../fairness/index.ts'
import { type Plan, type PlaybookLibrary, readInputs } from '../../playbook/index.ts'
import type { Plugin, PluginLibrary } from '../../plugin/index.ts'
import type { CurrentPolicies } from '../../policy/index.ts'
import { digestOf } from '../../yaml/index.ts'
import { explain } from '../failure/explain.ts'
import { failed } from '../failure/failed.ts'
import { GivenUp } from '../failure/signals.ts'
import { textOf } from '../run/values/large-json.ts'
import { contextBeforeRun, readsNumber } from '../run/values/template-context.ts'
import { type Binding, bindSlots } from './bind-slots.ts'
import { connectionFingerprint } from './connection-fingerprint.ts'
import type { CurrentConnections } from './current-connections.ts'

/** All that a claim needs: which playbook, which connections, which title. */
export interface PreparedRun {
  readonly pins: RunPins
  readonly opening: CaseOpening
  /** Fingerprint that may show that the alert repeats another. Null: the alert is always investigated. */
  readonly fingerprint: Fingerprint | null
  /** Most runs of the playbook at once in this process. Null: any number. */
  readonly concurrency: number | null
}

/**
 * The most characters of a case's title. A longer title is cut. A longer join key is replaced by its digest,
 * so that two keys with the same beginning stay different.
 */
const longestText = 500

/** Prepares the run of an alert: chooses its playbook and pins it, with the plugins, the connections and the policy. */
export class RunPreparer {
  readonly #connections: Pick<CurrentConnections, 'of'>
  readonly #playbooks: PlaybookLibrary
  readonly #plugins: PluginLibrary
  readonly #ids: Ids
  readonly #policies: Pick<CurrentPolicies, 'set'>
  readonly #turns: Turns

  constructor(
    connections: Pick<CurrentConnections, 'of'>,
    playbooks: PlaybookLibrary,
    plugins: PluginLibrary,
    policies: Pick<CurrentPolicies, 'set'>,
    ids: Ids,
    turns: Turns = noTurns,
  ) {
    this.#connections = connections
    this.#playbooks = playbooks
    this.#plugins = plugins
    this.#ids = ids
    this.#policies = policies
    this.#turns = turns
  }

  /**
   * Begins to read what `prepare` needs from the store, so that `prepare` finds it cached. Looks at nothing that
   * the alert says. An error appears when `prepare` reads the same.
   */
  lookAhead({ organization }: Pick<Alert, 'organization'>): void {
    void Promise.allSettled([this.#connections.of(organization), this.#plugins.active(), this.#policies.set(organization)])
  }

  /**
   * Waits until an alert under way has a number only if a template reads that.
   * @throws the store's error; TocsinError `playbook_changing`; GivenUp if it waited, and the alert is not stored
   */
  async prepare(given: Alert | AlertUnderWay): Promise<PreparedRun> {
    const sent = 'sent' in given ? given.sent : given
    let plan: Plan
    try {
      plan = await this.#playbooks.resolve(sent)
    } catch (error) {
      if (!isTocsinError(error) || error.entry.status >= 500) throw error
      return this.refuse(sent, failed(error.code, explain(error), null))
    }
    const alert = 'sent' in given && openingTemplates(plan).some(readsNumber) ? await given.stored() : sent
    if (!alert) throw new GivenUp('The alert is not stored.')
    const { organization } = alert
    const connections = await this.#connections.of(organization)
    const binding = bindSlots(plan, connections)
    const [missing] = binding.missing
    const plugins = await this.#plugins.active()
    const policy = await this.#policies.set(organization)
    const used = [
      ...new Set([plan, ...Object.values(plan.playbooks)].flatMap(({ slots }) => Object.values(slots).map(({ integration }) => integration))),
    ]
    const pins: RunPins = {
      playbook: { name: plan.name, digest: plan.digest },
      playbooks: Object.fromEntries(Object.values(plan.playbooks).map(({ name, digest }) => [name, digest])),
      policy: pinnedPolicy(policy),
      plugins: Object.fromEntries(used.flatMap((id) => (plugins.has(id) ? [[id, plugins.get(id)!.digest]] : []))),
      connections: withFingerprints(binding.connections, connections, plugins),
      ...(plan.limits.concurrency !== null && { concurrency: plan.limits.concurrency }),
      ...(missing && { refused: failed('connection_missing', missing.why, null) }),
    }
    const texts = new OpeningTexts(plan, alert, this.#turns)
    const said = await texts.of(plan.case.title)
    const title = said === null ? alert.name : beginningOf(said, longestText)
    const opening = this.#opening(title, plan.case.severity, await joinOf(plan, texts))
    return { pins, opening, fingerprint: await fingerprintOf(plan, texts), concurrency: plan.limits.concurrency }
  }

  /** Prepares an alert whose run must not begin. */
  refuse(alert: SentAlert, failure: Failure): PreparedRun {
    const pins: RunPins = {
      playbook: { name: 'none', digest: asId<Digest>('') },
      playbooks: {},
      policy: pinnedPolicy(null),
      plugins: {},
      connections: {},
      refused: failure,
    }
    return { pins, opening: this.#opening(alert.name, 'unassigned', null), fingerprint: null, concurrency: null }
  }

  /** Prepares an alert that has a run. The run has pinned what it needs, so nothing is compiled or rendered again. */
  resume(alert: SentAlert, { pins }: Run): PreparedRun {
    const { concurrency = null } = pins
    return { pins, opening: this.#opening(alert.name, 'unassigned', null), fingerprint: null, concurrency }
  }

  #opening(title: string, severity: CaseOpening['severity'], join: CaseJoin | null): CaseOpening {
    return { uuid: asId<CaseUuid>(this.#ids.uuid()), title, severity, join }
  }
}

/** Adds the fingerprint of each connection, so that an undo never goes to another system than the write did. */
function withFingerprints(
  pinned: Binding['connections'],
  connections: readonly Connection[],
  plugins: ReadonlyMap<string, Plugin>,
): RunPins['connections'] {
  const byId = new Map(connections.map((connection) => [connection.id, connection]))
  const withAddress = Object.entries(pinned).map(([slot, one]) => {
    const connection = byId.get(one.id)
    const plugin = connection && plugins.get(connection.integration)
    return [slot, connection && plugin ? { ...one, address: connectionFingerprint(connection, plugin) } : one] as const
  })
  return Object.fromEntries(withAddress)
}

/** Returns the templates that are rendered before the run begins. */
function openingTemplates({ case: { title, join }, duplicates }: Plan): readonly ValueTemplate[] {
  return [title, join?.key, duplicates?.fingerprint].filter((template) => template !== undefined && template !== null)
}

/**
 * Texts that are rendered before the run begins. A text is null if it is blank or cannot be rendered, because
 * the alert is investigated in any case. All texts share the work limit of one evaluation.
 */
class OpeningTexts {
  readonly #plan: Plan
  readonly #alert: Alert | SentAlert
  readonly #turns: Turns
  readonly #work = new WorkBudget(mostWork)
  #roots: Context | null = null

  constructor(plan: Plan, alert: Alert | SentAlert, turns: Turns) {
    this.#plan = plan
    this.#alert = alert
    this.#turns = turns
  }

  async of(template: ValueTemplate | undefined | null): Promise<string | null> {
    if (!template) return null
    const turn = this.#turns.next(this.#alert.organization)
    if (turn) await turn
    try {
      this.#roots ??= contextBeforeRun(this.#alert, readInputs(this.#plan, this.#alert.content, this.#work))
      const text = await textOf({ turns: this.#turns, run: this.#alert }, template.render(this.#roots, this.#work))
      return text.trim() === '' ? null : text
    } catch (error) {
      if (isTocsinError(error)) return null
      throw error
    }
  }
}

async function joinOf(plan: Plan, texts: OpeningTexts): Promise<CaseJoin | null> {
  const { join } = plan.case
  const text = await texts.of(join?.key)
  return join && text !== null ? { key: text.length > longestText ? digestOf(text) : text, within: join.within } : null
}

async function fingerprintOf({ duplicates }: Plan, texts: OpeningTexts): Promise<Fingerprint | null> {
  const text = await texts.of(duplicates?.fingerprint)
  return duplicates && text !== null ? { digest: digestOf(text), within: duplicates.within } : null
}

import { type Alert, type Decision, type JournalEntry, type Json, type RecordedOutput, type Run, stepOf, systemScope } from '../domain/index.ts'
import { caseSteps, type RetraceDeps, type Retraced, type RunObserver, retraceRun, undoPlan } from '../engine/index.ts'
import { isTocsinError, TocsinError } from '../errors/index.ts'
import { slotsFor } from '../fairness/index.ts'
import { graphOf, type PlaybookGraph, skillFacts } from '../playbook/index.ts'
import type { Store } from '../storage/index.ts'
import { Details } from './details.ts'
import { RunFacts } from './facts.ts'
import { grouped, ungrouped } from './grouped.ts'
import { type LitGraph, litGraph } from './lit-graph.ts'
import { divergence, Outline, type OutlinedStep } from './outline.ts'
import { type Shown, shownOf } from './shown.ts'
import type { StepState } from './step-state.ts'
import type { RetracedStep, StepPage, StepQuery } from './types.ts'
import { type ExplainedWrite, explainWrites } from './writes.ts'

/** The longest value that is shown whole, in characters of JSON: in a list, and for a single step. */
const longestListed = 500
const longestShown = 16_384

/** The most decisions of one run that are read. */
const mostDecisions = 1_000

/** How many retraces one process does at once. */
const atOnce = 2

type StepPart = 'input' | 'output'

/**
 * Shows what the steps of a run saw. Each call replays the run over its journal, and keeps nothing. Callers
 * must first check that the user may see the run. A signal ends the replay.
 */
export interface Retraces {
  /** @throws TocsinError `step_unknown` if `after` or `within` names no step of the run */
  list(run: Run, query: StepQuery, signal: AbortSignal): Promise<StepPage>
  /** @throws TocsinError `step_unknown` */
  one(run: Run, address: string, signal: AbortSignal): Promise<RetracedStep & Pick<StepPage, 'note'>>
  /**
   * Returns the JSON of a whole value.
   * @throws TocsinError `step_unknown`, also if the step has no such value
   */
  value(run: Run, address: string, part: StepPart, signal: AbortSignal): Promise<string>
  /** Returns the graph of the run's playbook with the way that the run took. */
  graph(run: Run, signal: AbortSignal): Promise<RunGraph>
  /** Explains what became of each write of the run's playbook. */
  writes(run: Run, signal: AbortSignal): Promise<RunWrites>
}

/** The graph of a run. `graph` is null if its playbook can no longer be read; `note` then says why. */
interface RunGraph extends Pick<StepPage, 'note'> {
  readonly graph: LitGraph | null
}

/** What became of the writes of a run's playbook. `writes` is null if the playbook can no longer be read. */
export interface RunWrites extends Pick<StepPage, 'note'> {
  readonly writes: readonly ExplainedWrite[] | null
  /** True: there are more writes than are listed. */
  readonly more: boolean
  /** The steps that decided about the writes. */
  readonly steps: readonly RetracedStep[]
}

type Reads = Pick<Store, 'alerts' | 'cases' | 'journal' | 'decisions'>

interface Known {
  readonly run: Run
  readonly alert: Alert
  readonly journal: readonly JournalEntry[]
  /** The steps that wrote into the case. */
  readonly noted: readonly string[]
  readonly facts: RunFacts
}

/** Explains runs: replays their journal without calling anything. Few are replayed at once. */
export function createRetraces(store: Reads, { playbooks, plugins, turns }: Omit<RetraceDeps, 'store'>): Retraces {
  const slots = slotsFor(atOnce)
  const deps: RetraceDeps = { store, playbooks, plugins, turns }

  /** Takes a slot, reads the run's alert and journal, and does the work. */
  async function about<T>(run: Run, signal: AbortSignal, work: (known: Known) => Promise<T>): Promise<T> {
    const release = await slots.take(run.organization, signal)
    try {
      const [[alert], journal] = await Promise.all([store.alerts.get(systemScope, [run.alert]), store.journal.read(systemScope, run.id)])
      if (!alert) throw new TocsinError('alert_unknown', `The alert of the run ${run.id} is gone.`)
      const records = journal.flatMap((entry) => entry.records)
      const noted = await caseSteps(store, run, records)
      return await work({ run, alert, journal, noted, facts: await RunFacts.read(records, turnOf(run)) })
    } finally {
      release()
    }
  }

  const replay = ({ run, alert, journal, noted }: Known, observer: RunObserver, signal: AbortSignal): Promise<Retraced> =>
    retraceRun(deps, run, alert, journal, noted, observer, signal)
  const turnOf =
    ({ organization }: Run) =>
    () =>
      turns.next(organization)

  async function outlined(known: Known, signal: AbortSignal) {
    const outline = new Outline(turnOf(known.run))
    const retraced = await replay(known, outline, signal)
    const steps = await outline.steps(known.run, known.facts, retraced)
    return { steps, note: noteOf(known.run, retraced), inputs: outline.inputs, branchOf: (address: string) => outline.branchOf(address) }
  }

  async function detailed(known: Known, steps: readonly OutlinedStep[], signal: AbortSignal): Promise<Details> {
    const details = new Details(
      steps.map(({ address }) => address),
      known.facts,
      turnOf(known.run),
    )
    if (steps.some(({ reached }) => reached)) await replay(known, details, signal)
    return details
  }

  async function decisionsOf({ id }: Run, facts: RunFacts): Promise<ReadonlyMap<string, readonly Decision[]>> {
    if (facts.asked.size === 0) return new Map()
    const { items } = await store.decisions.list(systemScope, { runs: [id], after: null, limit: mostDecisions })
    return Map.groupBy(items.toReversed(), ({ step }) => stepOf(step))
  }

  const found = async (known: Known, address: string, signal: AbortSignal) => {
    const { steps, note } = await outlined(known, signal)
    const step = (await ungrouped(steps, turnOf(known.run))).find((one) => one.address === address)
    if (!step) throw unknownStep(known.run, address)
    return { step, note, details: await detailed(known, [step], signal) }
  }

  /** Returns the graph of the run's pinned playbook. Null if it can no longer be read. */
  async function graphFor(run: Run): Promise<PlaybookGraph | null> {
    try {
      const plan = run.undo ? await undoPlan(store, run) : await playbooks.byDigest(systemScope, run.pins.playbook.digest, run.pins)
      const pinned = await Promise.all(Object.entries(run.pins.plugins).map(async ([id, digest]) => [id, await plugins.byDigest(digest)] as const))
      return graphOf(plan, skillFacts(new Map(pinned)))
    } catch (error) {
      if (isTocsinError(error) && (error.entry.status < 500 || error.code === 'internal')) return null
      throw error
    }
  }

  async function lit(known: Known, signal: AbortSignal) {
    const { run } = known
    const [{ steps, note, branchOf }, graph] = await Promise.all([outlined(known, signal), graphFor(run)])
    return { steps, note, graph: graph && (await litGraph(graph, steps, branchOf, run.state === 'completed', turnOf(run))) }
  }

  return {
    graph: (run, signal) =>
      about(run, signal, async (known) => {
        const { graph, note } = await lit(known, signal)
        return { graph, note }
      }),
    writes: (run, signal) =>
      about(run, signal, async (known) => {
        const { graph, steps, note } = await lit(known, signal)
        if (!graph) return { writes: null, more: false, steps: [], note }
        const explained = await explainWrites(graph, steps, run, turnOf(run))
        const decisive = new Set(explained.writes.flatMap(({ because }) => because))
        const listed = (await ungrouped(steps, turnOf(run))).filter(({ address }) => decisive.has(address))
        const [details, decisions] = await Promise.all([detailed(known, listed, signal), decisionsOf(run, known.facts)])
        return { ...explained, steps: listed.map((step) => details.view(step, run, decisions.get(step.address) ?? [], longestListed)), note }
      }),
    list: (run, { within, states, loops, after, limit }, signal) =>
      about(run, signal, async (known) => {
        const { steps, note, inputs } = await outlined(known, signal)
        const inside = within === null ? steps : steps.filter(({ address }) => address === within || address.startsWith(`${within}/`))
        if (within !== null && inside.length === 0) throw unknownStep(run, within)
        const listed = await (loops === 'grouped' ? grouped : ungrouped)(inside, turnOf(run))
        const fitting = states === null ? listed : listed.filter(({ state }) => states.includes(state))
        const from = after === null ? 0 : steps.findIndex(({ address }) => address === after) + 1
        if (after !== null && from === 0) throw unknownStep(run, after)
        const passed = new Set(steps.slice(0, from).map(({ address }) => address))
        const rest = fitting.filter(({ address }) => !passed.has(address))
        const page = rest.slice(0, limit)
        const [details, decisions] = await Promise.all([detailed(known, page, signal), decisionsOf(run, known.facts)])
        const items = page.map((step) => details.view(step, run, decisions.get(step.address) ?? [], longestListed))
        return { items, more: rest.length > limit, total: fitting.length, states: countsOf(inside), note, inputs: inputs && shownInputs(inputs) }
      }),
    one: (run, address, signal) =>
      about(run, signal, async (known) => {
        const { step, note, details } = await found(known, address, signal)
        const decisions = await decisionsOf(run, known.facts)
        return { ...details.view(step, run, decisions.get(address) ?? [], longestShown), note }
      }),
    value: (run, address, part, signal) =>
      about(run, signal, async (known) => {
        const { details } = await found(known, address, signal)
        const call = known.facts.calls.get(address)
        const recorded = part === 'output' ? call?.output : call?.write?.input
        if (recorded) return recordedText(run, recorded)
        const value = details.values(address)?.[part]
        if (value === undefined) throw new TocsinError('step_unknown', `The step ${address} of the run ${run.id} has no ${part}.`)
        return JSON.stringify(value)
      }),
  }

  async function recordedText({ id }: Run, recorded: RecordedOutput): Promise<string> {
    if ('value' in recorded) return JSON.stringify(recorded.value satisfies Json)
    const json = await store.journal.getOutput(systemScope, id, recorded.stored)
    if (json === null) throw new TocsinError('internal', `The stored output ${recorded.stored} of the run ${id} is gone.`)
    return json
  }
}

function countsOf(steps: readonly OutlinedStep[]): StepPage['states'] {
  const counts: Partial<Record<StepState, number>> = {}
  for (const { state } of steps) counts[state] = (counts[state] ?? 0) + 1
  return counts
}

function shownInputs(inputs: Readonly<Record<string, Json>>): Readonly<Record<string, Shown>> {
  return Object.fromEntries(Object.entries(inputs).map(([name, value]) => [name, shownOf(value, longestListed)]))
}

function unknownStep({ id }: Run, address: string): TocsinError {
  return new TocsinError('step_unknown', `The run ${id} has not reached a step ${address}.`)
}

/** Returns a note for people if some things of a run cannot be shown. */
function noteOf(run: Run, retraced: Retraced): string | null {
  const other = divergence(run, retraced)
  if (other !== null)
    return `From ${other} on, this version of Tocsin would run the playbook differently than the run did. From there, only what the journal recorded is shown.`
  switch (retraced.kind) {
    case 'cannot':
      return `The run cannot be followed step by step (${retraced.why}). Only what its journal recorded is shown: calls, their outputs and decisions.`
    case 'deadly':
      return 'Processes died while they worked on this run. To protect this process, Tocsin does not follow its playbook step by step. Only what its journal recorded is shown: calls, their outputs and decisions.'
    case 'too_large':
      return 'The outputs of this run are too large to read all of them. After the limit was reached, only what the journal recorded is shown.'
    default:
      return null
  }
}

import { type Alert, type Decision, type JournalEntry, type Json, type RecordedOutput, type Run, stepOf, systemScope } from '../domain/index.ts'
import { type RetraceDeps, type Retraced, type RunObserver, retraceRun } from '../engine/index.ts'
import { TocsinError } from '../errors/index.ts'
import { slotsFor } from '../fairness/index.ts'
import type { Store } from '../storage/index.ts'
import { Details } from './details.ts'
import { RunFacts } from './facts.ts'
import { grouped, ungrouped } from './grouped.ts'
import { divergence, Outline, type OutlinedStep } from './outline.ts'
import { type Shown, shownOf } from './shown.ts'
import type { StepState } from './step-state.ts'
import type { RetracedStep, StepPage, StepQuery } from './types.ts'

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
}

type Reads = Pick<Store, 'alerts' | 'journal' | 'decisions'>

interface Known {
  readonly run: Run
  readonly alert: Alert
  readonly journal: readonly JournalEntry[]
  readonly facts: RunFacts
}

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
      return await work({ run, alert, journal, facts: await RunFacts.read(records, turnOf(run)) })
    } finally {
      release()
    }
  }

  const replay = ({ run, alert, journal }: Known, observer: RunObserver, signal: AbortSignal): Promise<Retraced> =>
    retraceRun(deps, run, alert, journal, observer, signal)
  const turnOf =
    ({ organization }: Run) =>
    () =>
      turns.next(organization)

  async function outlined(known: Known, signal: AbortSignal) {
    const outline = new Outline(turnOf(known.run))
    const retraced = await replay(known, outline, signal)
    return { steps: await outline.steps(known.run, known.facts, retraced), note: noteOf(known.run, retraced), inputs: outline.inputs }
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

  return {
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

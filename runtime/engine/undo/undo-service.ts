import {
  type Clock,
  type Connection,
  type ConnectionId,
  type Digest,
  defaultPolicy,
  type Json,
  organizationScope,
  type Policy,
  type Principal,
  pinnedPolicy,
  policyAsks,
  type RecordedOutput,
  type Run,
  type RunPins,
  systemScope,
  undoRunId,
} from '../../domain/index.ts'
import { isTocsinError, TocsinError } from '../../errors/index.ts'
import type { Plugin, PluginLibrary } from '../../plugin/index.ts'
import { protectionOf } from '../../policy/index.ts'
import type { Queue } from '../../queue/index.ts'
import type { Store } from '../../storage/index.ts'
import { digestOf } from '../../yaml/index.ts'
import type { NotUndone, UndoDocument, UndoStep } from './document.ts'
import { type Undo, undoneBy, undosOf } from './earlier-undos.ts'
import { askedEntry } from './execute-undo.ts'
import { writesOf } from './run-writes.ts'
import { readUndo, slotOf } from './stored-undo.ts'
import { undoStepFor } from './undo-step.ts'

/** What undoing a run would do now, and the last undo of it. */
export interface UndoPreview {
  readonly document: UndoDocument
  /** Digest of the document. A caller sends it back to confirm that this is the plan it has seen. */
  readonly digest: Digest
  /** How the organization's current policy holds up a step: it asks people first, or protects the target. */
  held(step: UndoStep): 'approval' | 'protected' | null
  /** Null: nobody has asked for an undo yet. */
  readonly last: Undo | null
}

/** Who wants a run undone, and why. */
export interface UndoRequest {
  readonly by: Pick<Principal, 'id' | 'name'>
  readonly reason: string | null
  /** Whether to undo uncertain writes too. */
  readonly uncertain: boolean
  /** Digest of the plan that the caller has seen. Null: the caller accepts any plan. */
  readonly seen: string | null
}

/** Previews and begins undos. Callers have checked that they may see the run. */
export class UndoService {
  readonly #store: Store
  readonly #plugins: PluginLibrary
  readonly #queue: Pick<Queue, 'enqueue'>
  readonly #clock: Clock

  constructor(store: Store, plugins: PluginLibrary, queue: Pick<Queue, 'enqueue'>, clock: Clock) {
    this.#store = store
    this.#plugins = plugins
    this.#queue = queue
    this.#clock = clock
  }

  /**
   * Returns what undoing a run would do now. Changes nothing.
   * @param uncertain whether to undo uncertain writes
   * @throws TocsinError `run_going`, `run_undoes`
   */
  async preview(run: Run, uncertain: boolean): Promise<UndoPreview> {
    if (run.undo) throw new TocsinError('run_undoes', `The run ${run.id} undoes ${run.undo.run}.`)
    if (run.endedAt === null) throw new TocsinError('run_going', `The run ${run.id} is ${run.state}.`)
    const undos = await undosOf(this.#store, run.id)
    const [document, policy] = await Promise.all([this.#document(run, undos, uncertain), this.#policy(run)])
    return { document, digest: digestOf(JSON.stringify(document)), held: (step) => heldBy(policy, step), last: undos.at(-1) ?? null }
  }

  /**
   * Begins to undo a run. If an undo is under way, returns that one. If one has ended and something is left
   * to undo, begins another. Safe to retry.
   * @returns the state of the undo, and whether this call began it
   * @throws TocsinError `run_going`, `run_undoes`, `undo_nothing`, `undo_changed`
   */
  async begin(run: Run, { by, reason, uncertain, seen }: UndoRequest): Promise<UndoPreview & { readonly begun: boolean }> {
    const undoing = await this.preview(run, uncertain)
    const { document, digest, last } = undoing
    if (last && (last.run.endedAt === null || document.steps.length === 0)) return { ...undoing, begun: false }
    if (document.steps.length === 0) throw new TocsinError('undo_nothing', `Nothing of the run ${run.id} can be undone.`)
    if (seen !== null && seen !== digest) throw new TocsinError('undo_changed', `The plan to undo the run ${run.id} has changed. Preview it again.`)
    const number = (last?.run.undo?.number ?? 0) + 1
    const id = undoRunId(run.id, number)
    // Stored before the run that names it. A concurrent request stores its own document. The one that the run
    // names is used.
    await this.#store.journal.putOutput(systemScope, id, digest, JSON.stringify(document))
    const pins: RunPins = { ...(await this.#pins(run, document)), playbook: { name: `undo of ${run.pins.playbook.name}`, digest } }
    const opened = await this.#store.runs.openUndo(systemScope, {
      run: id,
      undo: { run: run.id, number, by: by.id, name: by.name, reason },
      pins,
      at: this.#clock.now(),
    })
    if (!opened) throw new TocsinError('run_going', `The run ${run.id} has not ended.`)
    const { alert, organization, type, attempt } = opened
    // The run writes this entry again before it sends anything, so the case has it even if this process dies here.
    const asked = askedEntry(opened, await readUndo(this.#store, opened))
    await this.#store.cases.record(systemScope, opened.case, null, asked)
    // If the queue loses the job, the sweeper finds the run in the store.
    await this.#queue.enqueue([{ run: id, alert, organization, type, attempt }]).catch(() => undefined)
    const standing = (await undosOf(this.#store, run.id)).at(-1) ?? null
    return { ...undoing, last: standing, begun: opened.pins.playbook.digest === digest && opened.undo?.by === by.id }
  }

  async #policy({ organization }: Run): Promise<Policy> {
    return (await this.#store.policies.get(organizationScope(organization), organization))?.policy ?? defaultPolicy
  }

  async #pins({ organization }: Run, { steps }: UndoDocument): Promise<Omit<RunPins, 'playbook'>> {
    const plugins = await this.#plugins.active()
    const policy = await this.#store.policies.get(organizationScope(organization), organization)
    const used = [...new Set(steps.map(({ integration }) => integration))]
    return {
      playbooks: {},
      policy: pinnedPolicy(policy),
      plugins: Object.fromEntries(used.flatMap((id) => (plugins.has(id) ? [[id, plugins.get(id)!.digest]] : []))),
      connections: Object.fromEntries(steps.map((step) => [slotOf(step), step.connection])),
    }
  }

  async #document(run: Run, undos: readonly Undo[], uncertain: boolean): Promise<UndoDocument> {
    const { organization } = run
    const [entries, usable, plugins] = await Promise.all([
      this.#store.journal.read(systemScope, run.id),
      this.#store.connections.forOrganization(organizationScope(organization), organization),
      this.#plugins.active(),
    ])
    const world = {
      connections: new Map<ConnectionId, Connection>(usable.map((connection) => [connection.id, connection])),
      plugins,
      pinned: (integration: string) => this.#pinned(run, integration),
      read: (output: RecordedOutput) => this.#read(run, output),
      before: undoneBy(undos),
      uncertain,
    }
    const steps: UndoStep[] = []
    const left: NotUndone[] = []
    for (const write of writesOf(entries.flatMap(({ records }) => records)).toReversed()) {
      const found = await undoStepFor(world, write, `undo-${steps.length + 1}`)
      if ('undoes' in found) steps.push(found)
      else left.push(found)
    }
    return { format: 1, run: run.id, steps, left }
  }

  async #pinned({ pins }: Run, integration: string): Promise<Plugin | null> {
    const digest = pins.plugins[integration]
    try {
      return digest === undefined ? null : await this.#plugins.byDigest(digest)
    } catch (error) {
      if (isTocsinError(error) && error.entry.status < 500) return null
      throw error
    }
  }

  async #read({ id }: Run, output: RecordedOutput): Promise<Json> {
    if ('value' in output) return output.value
    const json = await this.#store.journal.getOutput(systemScope, id, output.stored)
    if (json === null) throw new TocsinError('internal', `The stored output ${output.stored} of the run ${id} is gone.`)
    return JSON.parse(json) as Json
  }
}

function heldBy(policy: Policy, { integration, skill, impact, targets }: UndoStep): 'approval' | 'protected' | null {
  const name = `${integration}.${skill}`
  if (protectionOf(policy, name, targets)) return 'protected'
  return policyAsks(policy, name, impact) ? 'approval' : null
}

import { AlertStatus, type Clock, type Principal, type Run, type RunId, runId, scopeOf } from '../../domain/index.ts'
import { TocsinError } from '../../errors/index.ts'
import type { Queue } from '../../queue/index.ts'
import type { Store } from '../../storage/index.ts'

/** What people do with runs. */
export class RunService {
  readonly #store: Pick<Store, 'alerts' | 'runs' | 'cases'>
  readonly #queue: Pick<Queue, 'enqueue'>
  readonly #clock: Clock

  constructor(store: Pick<Store, 'alerts' | 'runs' | 'cases'>, queue: Pick<Queue, 'enqueue'>, clock: Clock) {
    this.#store = store
    this.#queue = queue
    this.#clock = clock
  }

  /**
   * Cancels a run for a principal. After the answer, nothing new of the run begins in any process. A write that
   * is under way finishes, and one in doubt is settled first. Safe to retry: returns the cancellation that is
   * already there. If the run has failed and another attempt would follow automatically, cancels that attempt.
   * @throws TocsinError `run_unknown` (also out of scope), `run_over`
   */
  async cancel(principal: Principal, id: RunId, reason: string | null): Promise<Run> {
    const cancellation = { principal: principal.id, by: principal.name, reason, at: this.#clock.now() }
    const result = await this.#store.runs.cancel(scopeOf(principal), id, cancellation)
    if (!result) throw new TocsinError('run_unknown', 'No run that this key may see has this run_id.')
    const { kind, run } = result
    if (kind === 'over') return this.#dropRetry(principal, run, reason)
    // A sleeping run is due now. If the queue loses the job, the sweeper finds the run in the store.
    if (run.state === 'waiting') {
      const job = { run: run.id, alert: run.alert, organization: run.organization, type: run.type, attempt: run.attempt }
      await this.#queue.enqueue([job]).catch(() => undefined)
    }
    return run
  }

  /** @throws TocsinError `run_over` if no other attempt was planned */
  async #dropRetry(principal: Principal, run: Run, reason: string | null): Promise<Run> {
    const { runs, cases } = this.#store
    if (!(await runs.dropRetry(scopeOf(principal), run.id)))
      throw new TocsinError('run_over', `The run has ended: ${run.state}.${await this.#whatFollowed(principal, run)}`)
    const text = `${principal.name} cancelled the retry${reason === null ? '.' : `: ${reason}`}`
    await cases.record(scopeOf(principal), run.case, null, {
      key: `${run.id}#retry-cancelled`,
      at: this.#clock.now(),
      actor: { principal: principal.id },
      body: { kind: 'retry', due: null, text, dropped: run.id },
    })
    return { ...run, retryAt: null }
  }

  /**
   * A person who cancels a run expects the investigation to stop. If another attempt is under way, the answer
   * names it.
   */
  async #whatFollowed(principal: Principal, { alert: uuid, attempt, undo }: Run): Promise<string> {
    if (undo) return ''
    const [alert] = await this.#store.alerts.get(scopeOf(principal), [uuid])
    if (!alert || alert.retryCount < attempt || alert.status >= AlertStatus.completed) return ''
    return ` Another attempt is under way: ${runId(uuid, alert.retryCount + 1)}`
  }
}

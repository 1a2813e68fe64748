import {
  asId,
  type Decision,
  type JournalRecord,
  type PrincipalId,
  type Run,
  systemScope,
  undoRunId,
  type Verdict,
} from '../../../runtime/domain/index.ts'
import { type Answer, Bench, connection, done, playbook } from './harness.ts'

export const ada = { id: asId<PrincipalId>('ada'), name: 'Ada' }

/** The answer of each skill of the test's plugin if nothing goes wrong. */
export const fine: Answer = ({ skill, input }) => {
  if (skill.id === 'grant_role') return done({ grant_id: `grant of ${(input as { user: string }).user}` })
  if (skill.id === 'tag_users') return done({ tagged: (input as { users: string[] }).users })
  return done({ state: 'x' })
}

/** Describes a call: its skill, and the values of its input. */
function shown({ skill, input }: Bench['calls'][number]): string {
  return [skill.id, ...Object.values(input as object)].join(' ')
}

/** A run that has ended, and what undoes it. */
export class UndoBench {
  readonly bench: Bench

  private constructor(bench: Bench) {
    this.bench = bench
  }

  /** Creates a run of these steps that has ended. */
  static async ended(steps: string, content: object = {}, answer: Answer = fine, subs: readonly string[] = []): Promise<UndoBench> {
    const bench = await Bench.open(playbook(steps), content, subs)
    await bench.store.connections.create(systemScope, connection)
    await bench.live(answer)
    const undo = new UndoBench(bench)
    bench.calls.length = 0
    return undo
  }

  run(): Promise<Run> {
    return this.bench.ended()
  }

  async begin(uncertain = false, reason: string | null = 'A drill.', seen: string | null = null) {
    return this.bench.undoDesk().begin(await this.run(), { by: ada, reason, uncertain, seen })
  }

  async look(uncertain = false) {
    return this.bench.undoDesk().preview(await this.run(), uncertain)
  }

  id(number = 1) {
    return undoRunId(this.bench.run, number)
  }

  live(answer: Answer = fine, number = 1, store = this.bench.store): Promise<boolean> {
    return this.bench.liveUndo(this.id(number), answer, store)
  }

  async undoRun(number = 1): Promise<Run> {
    const run = await this.bench.store.runs.get(systemScope, this.id(number))
    if (!run) throw new Error('there is no such undo')
    return run
  }

  async decisions(number = 1): Promise<readonly Decision[]> {
    const found = await this.bench.store.decisions.list(systemScope, { runs: [this.id(number)], after: null, limit: 99 })
    return found.items.toReversed()
  }

  async answer(verdict: Verdict, number = 1): Promise<Decision> {
    const open = (await this.decisions(number)).find(({ state }) => state === 'open')
    if (!open) throw new Error('no decision is open')
    return this.bench.answerTo(open.id, verdict, 'ada')
  }

  async records(number = 1): Promise<readonly JournalRecord[]> {
    return (await this.bench.store.journal.read(systemScope, this.id(number))).flatMap(({ records }) => records)
  }

  /** What was called since the run had ended. */
  get called(): readonly string[] {
    return this.bench.calls.map(shown)
  }

  /** Returns why each write is not undone. */
  async left(uncertain = false): Promise<readonly string[]> {
    const { document } = await this.look(uncertain)
    return document.left.map(({ write, code }) => `${write.address}: ${code}`)
  }

  close(): Promise<void> {
    return this.bench.close()
  }
}

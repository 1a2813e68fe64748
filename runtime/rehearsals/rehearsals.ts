import { resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Logger } from 'pino'
import type { Clock, Millis } from '../domain/index.ts'
import { TocsinError } from '../errors/index.ts'
import { type Plugin, sentPlugins } from '../plugin/index.ts'
import type { Given, RecordedTest } from '../rehearsal/index.ts'
import { Helpers, type HelpersEnd, launchConfined } from '../subprocess/index.ts'
import type { DryRunTask, ReadCall, RecordTask, RehearsalAnswer, RehearsalTask, ReplayTask, TestTask } from './protocol.ts'
import type { DryRunReport, ReplayReport, TestReport } from './reports.ts'

/** Who asked, and the plugins that the playbook may use. */
interface RehearsalWork {
  /** Owners take turns. */
  readonly owner: string
  readonly plugins: ReadonlyMap<string, Plugin>
}

type Input<Task> = Omit<Task, 'kind' | 'plugins'>

/**
 * Rehearses the texts that tenants send, in child processes. Nothing is called and nothing is stored.
 * Each method throws a TocsinError: the compiler's and the test file's; `check_timeout`, `check_memory` or
 * `check_died` if it takes too much; `overloaded` if too many wait.
 */
export interface Rehearsals {
  test(input: Input<TestTask>, work: RehearsalWork): Promise<TestReport>
  /** @param read sends a call that only reads; null: its answer is generated */
  dryRun(input: Input<DryRunTask>, work: RehearsalWork, read: (call: ReadCall) => Promise<Given | null>): Promise<DryRunReport>
  replay(input: Input<ReplayTask>, work: RehearsalWork): Promise<ReplayReport>
  /** Makes a test from a recorded run. @throws also TocsinError `run_not_recordable` */
  record(input: Input<RecordTask>, work: RehearsalWork): Promise<RecordedTest>
  close(): Promise<void>
}

/** The limit of one task. On an idle machine, the tests of the largest shipped playbook take a thirtieth of it. */
const deadline: Millis = 30_000
/** The heap of one process, in MiB. A recording may have 64 MiB of text. */
const heap = 512
/** How many tasks may wait: of one owner, and of all. */
const waiting = { each: 10, all: 50 }
const within: Millis = 30_000
/** A process that is idle for this long is ended, because it holds more than 100 MiB. */
const idle: Millis = 300_000
const processes = 2

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

export interface RehearsalsOptions {
  readonly clock: Clock
  readonly logger: Pick<Logger, 'error'>
  /** Tests may use the fixtures of the plugins in these folders. */
  readonly pluginFolders: readonly string[]
}

/** The processes start with the first rehearsal, not before. */
export function createRehearsals({ clock, logger, pluginFolders }: RehearsalsOptions): Rehearsals {
  const folders = pluginFolders.map((folder) => resolve(folder))
  const helpers = new Helpers({
    launch: () =>
      launchConfined({
        module: here('./child.ts'),
        parameters: folders,
        // isolated-vm detects the platform by the last file.
        reads: [here(`..${sep}`), here('../../package.json'), ...folders.map((folder) => `${folder}${sep}`), '/etc/alpine-release'],
        // Scripts of playbooks are compiled and run by processes of their own, as in the runtime.
        flags: [`--max-old-space-size=${heap}`, '--allow-child-process', '--allow-worker'],
        errors: 'pipe',
        givesWay: true,
      }),
    processes,
    deadline,
    waiting,
    within,
    idle,
    clock,
  })
  const rehearse = async <T>(
    task: TestTask | DryRunTask | ReplayTask | RecordTask,
    { owner, plugins }: RehearsalWork,
    read?: (call: ReadCall) => Promise<Given | null>,
  ): Promise<T> => {
    const body = (keeps: Set<string>): RehearsalTask => ({ ...task, plugins: sentPlugins(plugins.values(), keeps) })
    const answer = answerOf(await helpers.run(owner, body, read && ((call) => read(call as ReadCall))))
    if (!(answer instanceof TocsinError)) return answer.value as T
    if (answer.code === 'check_died' || answer.code === 'internal') logger.error({ error: String(answer.cause) }, 'a rehearsal of a playbook failed')
    throw answer
  }
  return {
    test: (input, work) => rehearse({ ...input, kind: 'test' }, work),
    dryRun: (input, work, read) => rehearse({ ...input, kind: 'dry_run' }, work, read),
    replay: (input, work) => rehearse({ ...input, kind: 'replay' }, work),
    record: (input, work) => rehearse({ ...input, kind: 'record' }, work),
    close: () => helpers.close(),
  }
}

function answerOf(end: HelpersEnd): { readonly value: unknown } | TocsinError {
  switch (end.kind) {
    case 'done': {
      const answer = end.body as RehearsalAnswer
      return answer.kind === 'answer' ? answer : new TocsinError(answer.code, answer.message, answer.places)
    }
    case 'late':
      return new TocsinError('check_timeout', `Rehearsing this playbook took longer than ${deadline / 1_000} s.`)
    case 'memory':
      return new TocsinError('check_memory', `Rehearsing this playbook needed more than ${heap} MiB.`)
    case 'died':
      return new TocsinError('check_died', 'The process that rehearsed this playbook ended.', [], { cause: end.message })
    case 'failed':
      return new TocsinError('internal', 'A rehearsal failed.', [], { cause: end.message })
    case 'busy':
      return new TocsinError('overloaded', 'Too many playbooks wait to be rehearsed.')
  }
}

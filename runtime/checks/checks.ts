import type { ChildProcess } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Logger } from 'pino'
import type { Clock, Millis } from '../domain/index.ts'
import { TocsinError } from '../errors/index.ts'
import type { PlaybookChecks, TaskInput, TaskName, TaskOutput, Work } from '../playbook/index.ts'
import { sentPlugins } from '../plugin/index.ts'
import type { PolicyRead, ReadPolicy } from '../policy/index.ts'
import { Helpers, type HelpersEnd, launchConfined } from '../subprocess/index.ts'
import { cache } from './cache.ts'
import type { CheckAnswer, CheckTask } from './protocol.ts'

/** Checks the texts that tenants send, in child processes. */
export interface Checks {
  /** For people who send a text and wait for the answer: lint, activation, diff. */
  readonly playbooks: PlaybookChecks
  /** For runs that wait for their playbook. Checks for people do not delay them. */
  readonly runs: PlaybookChecks
  readonly policies: ReadPolicy
  close(): Promise<void>
}

/** On an idle machine, the largest legitimate playbook takes a tenth of this. */
const deadline: Millis = 15_000
/** The heap of one process, in MiB. The largest playbook needs a third of it. */
const heap = 512
/** How many tasks may wait: of one owner, and of all. */
const waiting = { each: 20, all: 200 }
const within: Millis = 30_000
/** A process without a task for this long is ended, because it holds about 100 MiB. */
const idle: Millis = 600_000

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

export interface ChecksOptions {
  readonly clock: Clock
  readonly logger: Pick<Logger, 'error'>
  /** Set only by tests: the processor time that a process has used, by its id. */
  readonly processorTime?: (pid: number) => Millis | null
}

/** The processes start with the first check, not before. */
export function createChecks(options: ChecksOptions): Checks {
  const [people, runs] = [new CheckProcesses(2, true, options), new CheckProcesses(1, false, options)]
  return {
    playbooks: people.playbooks,
    runs: runs.playbooks,
    policies: (text, file, skills, owner) => people.ask<PolicyRead>(owner, () => ({ kind: 'policy', text, file, skills })),
    close: async () => void (await Promise.all([people.close(), runs.close()])),
  }
}

/** @param givesWay run at a lower priority. False for checks that runs wait for: a busy machine must not delay them further */
function launch(givesWay: boolean): ChildProcess {
  try {
    mkdirSync(cache, { recursive: true })
  } catch {
    // The folder may be read-only, as in a container image. Then nothing is cached.
  }
  return launchConfined({
    module: here('./child.ts'),
    reads: [here(`..${sep}`), here('../../package.json')],
    // esbuild, which compiles scripts, is a separate program. A worker thread makes sure that it ends.
    flags: [`--max-old-space-size=${heap}`, '--allow-child-process', '--allow-worker', `--allow-fs-write=${fileURLToPath(cache)}`],
    errors: 'pipe',
    givesWay,
  })
}

class CheckProcesses {
  readonly #helpers: Helpers
  readonly #logger: ChecksOptions['logger']
  readonly playbooks: PlaybookChecks = {
    run: <T extends TaskName>(task: T, input: TaskInput<T>, { owner, plugins }: Work) =>
      this.ask<TaskOutput<T>>(owner, (keeps) => ({
        kind: 'playbook',
        task,
        input,
        plugins: sentPlugins(plugins.values(), keeps),
      })),
  }

  constructor(processes: number, givesWay: boolean, options: ChecksOptions) {
    this.#helpers = new Helpers({
      launch: () => launch(givesWay),
      processes,
      deadline,
      waiting,
      within,
      idle,
      clock: options.clock,
      ...(options.processorTime && { processorTime: options.processorTime }),
    })
    this.#logger = options.logger
  }

  /** @throws TocsinError the errors of `PlaybookChecks.run` */
  async ask<T>(owner: string, task: (keeps: Set<string>) => CheckTask): Promise<T> {
    const end = await this.#helpers.run(owner, task)
    // Something else may have ended the process, so try once more. If it dies again, the text is the likely cause.
    const answer = answerOf(end.kind === 'died' ? await this.#helpers.run(owner, task) : end)
    if (answer instanceof TocsinError) {
      if (answer.code === 'check_died' || answer.code === 'internal') this.#logger.error({ error: String(answer.cause) }, 'a check of a text failed')
      throw answer
    }
    return answer.value as T
  }

  close(): Promise<void> {
    return this.#helpers.close()
  }
}

function answerOf(end: HelpersEnd): { readonly value: unknown } | TocsinError {
  switch (end.kind) {
    case 'done': {
      const answer = end.body as CheckAnswer
      return answer.kind === 'answer' ? answer : new TocsinError(answer.code, answer.message, answer.places)
    }
    case 'late':
      return new TocsinError('check_timeout', `Checking this text took longer than ${deadline / 1_000} s.`)
    case 'memory':
      return new TocsinError('check_memory', `Checking this text needed more than ${heap} MiB.`)
    case 'died':
      return new TocsinError('check_died', 'The process that checked this text ended twice.', [], { cause: end.message })
    case 'failed':
      return new TocsinError('internal', 'A check failed.', [], { cause: end.message })
    case 'busy':
      return new TocsinError('overloaded', 'Too many texts wait to be checked.')
  }
}

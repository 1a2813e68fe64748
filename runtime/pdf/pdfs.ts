import { sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Logger } from 'pino'
import type { Clock, Millis } from '../domain/index.ts'
import { TocsinError } from '../errors/index.ts'
import { Helpers, launchConfined } from '../subprocess/index.ts'
import type { Report } from './report.ts'

/** Draws reports as PDF, in a child process. */
export interface Pdfs {
  /**
   * @param owner owners take turns
   * @throws TocsinError `pdf_not_drawn` if it takes too long, too much memory, or fails; `overloaded` if too many wait
   */
  draw(owner: string, report: Report): Promise<Uint8Array>
  close(): Promise<void>
}

/** For each report. On an idle machine, the slowest of 60 pages that we found takes a tenth of it. */
const deadline: Millis = 30_000
/** The heap of the process, in MiB. */
const heap = 256
/** How many reports may wait: of one owner, and of all. */
const waiting = { each: 5, all: 20 }
const within: Millis = 30_000
const idle: Millis = 60_000

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

export interface PdfsOptions {
  readonly clock: Clock
  readonly logger: Pick<Logger, 'error'>
  /** Set only by tests: the processor time that a process has used, by its id. */
  readonly processorTime?: (pid: number) => Millis | null
}

/** The process starts with the first report, not before. */
export function createPdfs({ clock, logger, ...options }: PdfsOptions): Pdfs {
  const helpers = new Helpers({
    launch: () =>
      launchConfined({
        module: here('./child.ts'),
        reads: [here(`..${sep}`), here('../../package.json')],
        flags: [`--max-old-space-size=${heap}`, '--allow-worker'],
        errors: 'pipe',
        givesWay: true,
      }),
    processes: 1,
    deadline,
    waiting,
    within,
    idle,
    clock,
    ...(options.processorTime && { processorTime: options.processorTime }),
  })
  return {
    async draw(owner, report) {
      const end = await helpers.run(owner, () => report)
      switch (end.kind) {
        case 'done':
          return end.body as Uint8Array
        case 'late':
          throw new TocsinError('pdf_not_drawn', `Drawing ${report.name} took longer than ${deadline / 1_000} s.`)
        case 'memory':
          throw new TocsinError('pdf_not_drawn', `Drawing ${report.name} needed more than ${heap} MiB.`)
        case 'busy':
          throw new TocsinError('overloaded', 'Too many reports wait to be drawn.')
        case 'died':
        case 'failed':
          logger.error({ error: end.message, report: report.name }, 'a report was not drawn as PDF')
          throw new TocsinError('pdf_not_drawn', `Drawing ${report.name} failed.`, [], { cause: end.message })
      }
    },
    close: () => helpers.close(),
  }
}

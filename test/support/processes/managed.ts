import { type LogLines, spawnTocsin, type TocsinProcess } from './tocsin-process.ts'

/** What a process says whose start failed because MongoDB, Redis or its disk cannot be used now. */
const away = /\[(?:store_unavailable|queue_unavailable|disk_full)\]/
/** How often a process is started before its failures are one of the test. */
const mostStarts = 20

/**
 * Starts a process like a service manager: again, if something that it needs is away.
 * @param log gets the log lines of the process that listens
 * @param failed gets those of starts that failed
 * @throws if the start fails for another reason, with what the process printed
 */
export async function startManaged(
  command: 'up' | 'serve' | 'worker',
  environment: NodeJS.ProcessEnv,
  log: LogLines,
  failed: LogLines,
  starts = mostStarts,
): Promise<TocsinProcess> {
  for (let start = 1; ; start += 1) {
    const early: string[] = []
    let to: LogLines = early
    try {
      const started = await spawnTocsin(command, environment, { push: (line) => to.push(line) })
      to = log
      for (const line of early) log.push(line)
      return started
    } catch (error) {
      for (const line of early) failed.push(line)
      if (start === starts || !away.test(early.join('\n'))) throw error
    }
  }
}

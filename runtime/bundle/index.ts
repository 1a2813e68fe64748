import type { BuildOptions, BuildResult } from 'esbuild'
import { environment, loadEsbuild } from './binary.ts'

const { build, buildSync } = loadEsbuild()

export type { BuildFailure, Message, Plugin } from 'esbuild'

type InMemory = BuildOptions & { write: false }

/**
 * Bundles files of ours, of a plugin or of the console. esbuild's process gets nothing of this one's environment, which holds secrets.
 * @throws esbuild's `BuildFailure`
 */
export function bundle(options: InMemory): Promise<BuildResult<InMemory>> {
  // It begins its process in this call, with the environment that it finds.
  return withoutEnvironment(() => build(options))
}

/** A text took more CPU time or memory to bundle than any that somebody wrote in earnest. */
export class TooCostly extends Error {}

/**
 * Bundles one text that a stranger may have written, in a process of its own: two seconds of CPU and 2 GB of memory at most.
 * @throws esbuild's `BuildFailure`; TooCostly
 */
export function bundleText(options: InMemory): BuildResult<InMemory> {
  try {
    return withoutEnvironment(() => buildSync(options))
  } catch (error) {
    // What the system ended, or what ran out of memory by itself; a mistake in the text is told by an answer of the process.
    if (error instanceof Error && ('signal' in error || 'status' in error)) throw new TooCostly(error.message, { cause: error })
    throw error
  }
}

function withoutEnvironment<T>(work: () => T): T {
  const own = process.env
  process.env = { ...environment }
  try {
    return work()
  } finally {
    process.env = own
  }
}

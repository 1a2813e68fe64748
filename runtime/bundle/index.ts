/**
 * Bundles TypeScript files into one module with esbuild: handlers of plugins, scripts and the console. Untrusted
 * texts are bundled in a process of their own.
 */

import type { BuildOptions, BuildResult } from 'esbuild'
import { loadEsbuild } from './binary.ts'

export type { BuildFailure, Message, Plugin } from 'esbuild'

type InMemory = BuildOptions & { write: false }

/**
 * Bundles files of Tocsin, of a plugin or of the console. esbuild's process does not get the environment of this process, which has secrets.
 * @throws esbuild's `BuildFailure`
 */
export function bundle(options: InMemory): Promise<BuildResult<InMemory>> {
  // esbuild starts its process in this call, with the environment that it has now.
  return withoutEnvironment(({ build }) => build(options))
}

/** Bundling a text took more CPU time or memory than any real text needs. */
export class TooCostly extends Error {}

/**
 * Bundles one untrusted text, in its own process with at most two seconds of CPU time and 2 GB of memory.
 * @throws esbuild's `BuildFailure`; TooCostly
 */
export function bundleText(options: InMemory): BuildResult<InMemory> {
  try {
    return withoutEnvironment(({ buildSync }) => buildSync(options))
  } catch (error) {
    // The system killed the process, or it ran out of memory. A mistake in the text would have been an answer of the process.
    if (error instanceof Error && ('signal' in error || 'status' in error)) throw new TooCostly(error.message, { cause: error })
    throw error
  }
}

function withoutEnvironment<T>(work: (esbuild: typeof import('esbuild')) => T): T {
  const { esbuild, environment } = loadEsbuild()
  const own = process.env
  process.env = { ...environment }
  try {
    return work(esbuild)
  } finally {
    process.env = own
  }
}

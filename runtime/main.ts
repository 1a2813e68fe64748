#!/usr/bin/env node
import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'

// Without a listener, Node opens its inspector at this signal. Anybody who connects to it can read everything, including keys.
process.on('SIGUSR1', () => {})

// Node runs the code that it reads from this cache. So it is beside the packages, where only people who may change the code can write (decision 29).
enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/tocsin', import.meta.url)))
// The agent is a small process of its own, which loads nothing of the rest.
const isAgent = process.argv[2] === 'agent' && process.argv[3] === 'run' && !process.argv.includes('--help')
if (isAgent) await (await import('./cli/agent-program.ts')).becomeAgent(process.argv.slice(4))
// A dynamic import: static imports would be compiled before the cache is on.
const [{ explainFailure }, { buildProgram }] = await Promise.all([import('./cli/failure.ts'), import('./cli/index.ts')])

try {
  const program = await buildProgram(process.argv[2])
  await program.parseAsync()
} catch (error) {
  console.error(explainFailure(error))
  process.exitCode = 1
}

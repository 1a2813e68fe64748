#!/usr/bin/env node
import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'

// Without a listener Node answers this signal by opening its inspector, which tells whoever connects everything, the keys too.
process.on('SIGUSR1', () => {})

// Beside the packages, where only who may change the code may write: what is read from there is run (decision 29).
enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/tocsin', import.meta.url)))
// Not above: imports come before everything else, and would be compiled without it.
const [{ explainFailure }, { buildProgram }] = await Promise.all([import('./cli/failure.ts'), import('./cli/index.ts')])

try {
  await buildProgram().parseAsync()
} catch (error) {
  console.error(explainFailure(error))
  process.exitCode = 1
}

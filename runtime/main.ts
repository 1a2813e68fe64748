#!/usr/bin/env node
import { explainFailure } from './cli/failure.ts'
import { buildProgram } from './cli/index.ts'

try {
  await buildProgram().parseAsync()
} catch (error) {
  console.error(explainFailure(error))
  process.exitCode = 1
}

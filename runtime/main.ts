#!/usr/bin/env node
import { buildProgram } from './cli/index.ts'
import { explainFailure } from './cli/failure.ts'

try {
  await buildProgram().parseAsync()
} catch (error) {
  console.error(explainFailure(error))
  process.exitCode = 1
}

/** Tests of playbooks: their files, what they expect, and running them. */
export { loadAnswers } from './answers-file.ts'
export { playbookTestSchema } from './grammar.ts'
export { loadTestFile, type TestFile } from './load.ts'
export { type Problem, runTest, type TestResult } from './run.ts'

/** Reads and runs tests of playbooks, and compares the results with what they expect. */
export { answersIn, loadAnswers } from './answers-file.ts'
export { playbookTestSchema } from './grammar.ts'
export { loadTestFile, type TestFile, testsIn } from './load.ts'
export type { Problem } from './problem.ts'
export { runTest, type TestResult } from './run.ts'

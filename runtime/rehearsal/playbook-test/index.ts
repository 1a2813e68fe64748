export { loadAnswers } from './answers-file.ts'
export { playbookTestSchema } from './grammar.ts'
export { loadTestFile, type PreparedTest, type TestFile, testsIn } from './load.ts'
export { type Problem, runTest, type TestResult } from './run.ts'

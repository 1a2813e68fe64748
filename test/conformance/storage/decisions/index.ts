/** What every store must do with decisions that runs wait for. */
export { decisionCases } from './decisions.ts'
export { severalPeopleCases } from './several-people.ts'

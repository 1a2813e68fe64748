/**
 * What the command line shows to people: text for a terminal, made from the answers of the API.
 * `alert.ts`, `case.ts`, `run.ts` and so on each print one thing; `step-words.ts` has the words that say what a step did and why.
 * Nothing here talks to Tocsin or writes to the terminal.
 */
export { alertText } from './alert.ts'
export { caseText } from './case.ts'
export { decisionText } from './decision.ts'
export { evidenceText } from './evidence.ts'
export { heldText, pauseText } from './pause.ts'
export { quotaText, usageText } from './quota.ts'
export { runText } from './run.ts'
export { stepText } from './step.ts'
export { stepsText } from './steps.ts'
export { planText, undoAnswerText, undoText } from './undo.ts'

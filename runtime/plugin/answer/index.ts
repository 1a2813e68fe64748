/**
 * What an answer means. This room reads the text of an answer, tells success from failure
 * (`judge.ts`), names the failure by the manifest's error rows (`failures.ts`), and makes and
 * checks the skill's output (`conclude.ts`).
 */

export { retryAfterOf } from './answer-times.ts'
export { bodyText } from './body-text.ts'
export { brokenJson, charsetOf, codingFault, misencoded, unknownCharset } from './charset.ts'
export { itemsFailed } from './conclude.ts'
export { answerContext, defaultMeaning, failureOf, holds, type Meaning, matchRow, notJson } from './failures.ts'
export type * from './send-result.ts'
export type * from './skill-answer.ts'

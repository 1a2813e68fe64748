/**
 * Turns the bytes of an answer into what plugins may see: decoded, parsed within limits, and
 * without the connection's secrets (`scrub.ts`). Long answers are read in turns of the event loop.
 * `call-answers.ts` limits how many large answers are in memory at once.
 */
export { Answers } from './call-answers.ts'

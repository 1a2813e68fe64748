/**
 * From the bytes of an answer to what plugins may see: decoded, parsed within limits, and without the connection's secrets (`scrub.ts`). Long answers
 * are read in turns of the event loop; `call-answers.ts` bounds how many large ones are in memory at once.
 */
export { Answers } from './call-answers.ts'

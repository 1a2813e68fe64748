/** Answers: problem documents for errors, headers, and large or slow JSON that is written in pieces. */
export { clientErrorHandler, refuseOtherProtocols } from './client-error.ts'
export { errorHandler } from './error-handler.ts'
export { onEveryAnswer } from './headers.ts'
export { jsonBytes, sendJson } from './large-json.ts'
export { measured } from './measured.ts'
export { type Problem, problemOf, problemType } from './problem.ts'
export { lazySerializers } from './serializers.ts'
export { answeredSlowly } from './slow-answer.ts'

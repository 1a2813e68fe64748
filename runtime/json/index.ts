/**
 * JSON whose size and shape others choose. It is checked against limits before it is parsed, and read and
 * written in pieces, with turns of the event loop in between.
 */
export { decodeInTurns } from './decode.ts'

export { type JsonLimits, JsonRefused } from './limits.ts'
export { withoutMark } from './mark.ts'
export { partAt, pointerPattern } from './pointer.ts'
export { parseWithin, type Reading, readJson } from './read.ts'
export { type JsonPath, memberCount, repeatedField, structureOf } from './structure.ts'
export { writeJson } from './write.ts'

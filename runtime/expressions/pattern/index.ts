/** Patterns (regular expressions) that match in linear time. */
export { patternIn } from './dynamic.ts'
export { compilePattern } from './pattern.ts'
export { sizeOf } from './size.ts'

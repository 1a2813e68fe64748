/** Checks a document against a JSON Schema, and says what is wrong in words an author understands. */
export { type Fault, type FaultCode, mostFaults } from './faults.ts'
export * from './nearest.ts'
export * from './schema.ts'
export * from './validate.ts'

/** Measures which branches of a playbook its tests take. */
export { askedSkills, idIn, mayBeAsked } from './asked.ts'
export { Coverage } from './coverage.ts'
export { waysTaken } from './ways.ts'

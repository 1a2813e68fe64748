/** Which branches of a playbook its tests take, and which they leave out. */
export { askedSkills, idIn, mayBeAsked } from './asked.ts'
export { Coverage } from './coverage.ts'
export { waysTaken } from './ways.ts'

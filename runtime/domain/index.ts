/**
 * The types and state machines of the product, in the words of the glossary. Everything else imports them.
 * They import nothing else.
 *
 * One folder for each subject. Inside this room files import each other directly. Other rooms import this
 * file.
 */
export * from './access/index.ts'
export * from './alerts/index.ts'
export * from './cases/index.ts'
export * from './connections/index.ts'
export * from './decisions/index.ts'
export * from './fetches/index.ts'
export * from './guards/index.ts'
export * from './ids.ts'
export * from './journal/index.ts'
export * from './playbooks/index.ts'
export * from './runs/index.ts'
export * from './seams.ts'
export * from './text/index.ts'
export * from './webhooks/index.ts'

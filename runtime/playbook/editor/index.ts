/** The schema for editors: it completes keys, skills and their inputs while somebody writes a playbook. */
export * from './schema.ts'
export * from './world.ts'

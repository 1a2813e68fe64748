/** The schema for editors. It completes keys, skills and their inputs while a person writes a playbook. */
export * from './schema.ts'
export * from './world.ts'

/** Runs playbooks without calling anybody: tests of playbooks, dry runs, and replays of recorded runs. */
export { alertIn } from './alert-file.ts'
export { Coverage, waysTaken } from './coverage/index.ts'
export { type DryCall, type DryRun, dryRun } from './dry-run.ts'
export { type Fixtures, fixtureFaults, readFixtures } from './fixtures.ts'
export * from './playbook-test/index.ts'
export * from './recorded/index.ts'
export * from './recording/index.ts'

export * from './replay/index.ts'
export * from './served.ts'
export type { Difference } from './subset.ts'
export type * from './types.ts'
export * from './world.ts'

/**
 * Commands that run playbooks without calling anybody: `test`, `dry-run` and `replay`.
 * `replay` and `dry-run --reads` ask a running Tocsin for recordings, playbooks and the answers of reads.
 */
export { dryRunCommand } from './dry-run.ts'
export { replayCommand } from './replay.ts'
export { testCommand } from './test.ts'

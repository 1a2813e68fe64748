import { lookup, playbook } from '../compile/testing.ts'
import { lintPlaybook } from './lint.ts'
import type { LintWorld } from './world.ts'

/** A small `LintWorld` for tests. */
const world: LintWorld = {
  ...lookup,
  quoting: (integration) => (integration === 'mail' ? ['mail_quote'] : []),
  roleIncludes: (_integration, role, minimum) => role === minimum || role === 'owner',
  connections: null,
}

/** Lints a playbook with these steps. Returns `line:column code` for each finding. The steps begin on line 5 if `above` is empty. */
export function findingsIn(steps: string, above = '', inWorld: LintWorld = world): string[] {
  return lintPlaybook(playbook(steps, above), 'test.yaml', inWorld).map(({ line, column, code }) => `${line}:${column} ${code}`)
}

/** Like `findingsIn`, but returns the messages. */
export function messagesIn(steps: string, above = '', inWorld: LintWorld = world): string[] {
  return lintPlaybook(playbook(steps, above), 'test.yaml', inWorld).map(({ message }) => message)
}

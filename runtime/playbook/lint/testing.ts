import { lookup, playbook } from '../compile/testing.ts'
import { lintPlaybook } from './lint.ts'
import type { LintWorld } from './world.ts'

/** A small world to lint against in tests. */
const world: LintWorld = {
  ...lookup,
  quoting: (integration) => (integration === 'mail' ? ['mail_quote'] : []),
  roleIncludes: (_integration, role, minimum) => role === minimum || role === 'owner',
  connections: null,
}

/** What is found in a playbook with these steps, each as `line:column code`; the steps begin on line 5 when nothing is above them. */
export function findingsIn(steps: string, above = '', inWorld: LintWorld = world): string[] {
  return lintPlaybook(playbook(steps, above), 'test.yaml', inWorld).map(({ line, column, code }) => `${line}:${column} ${code}`)
}

/** The messages of the same. */
export function messagesIn(steps: string, above = '', inWorld: LintWorld = world): string[] {
  return lintPlaybook(playbook(steps, above), 'test.yaml', inWorld).map(({ message }) => message)
}

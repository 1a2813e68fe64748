import type { ConnectionTest } from '../../domain/index.ts'
import { registry } from '../../errors/index.ts'
import { type CallResult, type FoundRole, type Plugin, warningOf } from '../../plugin/index.ts'

/** The part of a connection's test result that people read. */
export type Finding = Pick<ConnectionTest, 'ok' | 'code' | 'cause' | 'remedy'>

/**
 * Adds to a successful test why the role is unknown, unless the test already has a warning. If the
 * role is unknown, no skill is refused because of it.
 */
export function withRole(finding: Finding, { why }: FoundRole): Finding {
  if (why === null || finding.code !== null) return finding
  const { cause, remedy } = registry.role_not_known
  return { ok: true, code: 'role_not_known', cause: `${cause} ${why}`, remedy }
}

/** Turns the outcome of a test into what the connection keeps. */
export function found(plugin: Plugin, result: CallResult): Finding {
  if (result.ok) {
    const warning = warningOf(plugin, result.output)
    return { ok: true, code: warning?.code ?? null, cause: warning?.cause ?? null, remedy: warning?.remedy ?? null }
  }
  const { code, message, remedy } = result.failure
  return { ok: false, code, cause: message, remedy }
}

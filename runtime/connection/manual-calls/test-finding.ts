import type { ConnectionTest } from '../../domain/index.ts'
import { registry } from '../../errors/index.ts'
import { type CallResult, type FoundRole, type Plugin, warningOf } from '../../plugin/index.ts'

/** What of a test of a connection is for people. */
export type Finding = Pick<ConnectionTest, 'ok' | 'code' | 'cause' | 'remedy'>

/** A test that went well says, unless it has something else to say, that the role is not known and why: skills above it are not refused then. */
export function withRole(finding: Finding, { why }: FoundRole): Finding {
  if (why === null || finding.code !== null) return finding
  const { cause, remedy } = registry.role_not_known
  return { ok: true, code: 'role_not_known', cause: `${cause} ${why}`, remedy }
}

/** What a test has come to, as the connection keeps it. */
export function found(plugin: Plugin, result: CallResult): Finding {
  if (result.ok) {
    const warning = warningOf(plugin, result.output)
    return { ok: true, code: warning?.code ?? null, cause: warning?.cause ?? null, remedy: warning?.remedy ?? null }
  }
  const { code, message, remedy } = result.failure
  return { ok: false, code, cause: message, remedy }
}

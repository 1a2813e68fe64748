import { approverWords, isObject, type Json } from '../../../../domain/index.ts'
import { misspelling } from '../../../../yaml/index.ts'
import { withNested } from '../../document/index.ts'
import { defineRule } from '../../rule.ts'

/** `by` takes any name of a principal. A name close to a word of Tocsin is probably that word, misspelt. */
export const approverMisspelt = defineRule({
  codes: {
    approver_misspelt: {
      severity: 'warning',
      title: "An approver's name is close to a word of Tocsin",
      why: '`by` takes principals, permissions, or `approver` for everybody who may answer. A misspelt word counts as a principal that does not exist, so nobody is asked.',
      wrong:
        '- id: ask\n  approve: { title: "Suspend ada?", by: [aprover], covers: suspend }\n- id: suspend\n  skill: mfa.suspend_mfa_user\n  with: { username: ada }',
      right:
        '- id: ask\n  approve: { title: "Suspend ada?", by: [approver], covers: suspend }\n- id: suspend\n  skill: mfa.suspend_mfa_user\n  with: { username: ada }',
    },
  },
  check({ flow }, report) {
    for (const { kind, value, path } of withNested(flow.steps)) {
      if (kind !== 'approve') continue
      const by = isObject(value['approve']) ? value['approve']['by'] : undefined
      for (const [index, name] of (Array.isArray(by) ? (by as readonly Json[]) : []).entries()) {
        const { misspelt } = typeof name === 'string' && !approverWords.includes(name) ? misspelling(name, approverWords) : {}
        if (misspelt === undefined) continue
        const told = `\`${misspelt.name}\` is probably not the name of a principal; did you mean \`${misspelt.meant}\`?`
        report.at('approver_misspelt', [...path, 'approve', 'by', index], told)
      }
    }
  },
})

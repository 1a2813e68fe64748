import { isObject } from '../../../../domain/index.ts'
import { keysOf } from '../../../compile/index.ts'
import { calledBy, slotOf, withNested } from '../../document/index.ts'
import { defineRule } from '../../rule.ts'
import { readsOf } from './reads.ts'

export const slotUnused = defineRule({
  codes: {
    slot_unused: {
      severity: 'warning',
      title: 'No step uses a slot',
      why: 'A run fails if a slot has no connection, unless the slot is optional.',
      wrong: 'connections: { mail: { integration: mailsec } }\nsteps:\n  - id: say\n    case: { note: Nothing is called }',
      right: 'connections: { mail: { integration: mailsec } }\nsteps:\n  - id: issues\n    skill: mailsec.get_mailsec_issues',
    },
  },
  check(subject, report) {
    const { root, flow, world } = subject
    const reads = readsOf(subject)
    const used = new Set<string>()
    for (const step of withNested(flow.steps)) {
      const skill = calledBy(step, world)
      if (skill !== null) used.add(slotOf(step, skill, root['connections']))
      if (skill === null || step.value['connection'] !== undefined) continue
      // If several slots fit, the compiler asks which one the step means. All of them count as used.
      for (const [name, slot] of Object.entries(isObject(root['connections']) ? root['connections'] : {})) {
        if (isObject(slot) && slot['integration'] === skill.integration) used.add(name)
      }
    }
    for (const name of keysOf(root['connections'])) {
      if (used.has(name) || reads.has(`connections.${name}`)) continue
      report.at('slot_unused', ['connections', name], `no step uses the slot \`${name}\`, but runs need a connection for it`, {
        part: 'key',
      })
    }
  },
})

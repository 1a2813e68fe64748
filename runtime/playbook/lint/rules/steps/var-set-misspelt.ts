import { misspelling } from '../../../../yaml/index.ts'
import { keysOf, renaming } from '../../../compile/index.ts'
import { withFix, withNested } from '../../document/index.ts'
import { defineRule } from '../../rule.ts'
import { readsOf } from './reads.ts'

/** A variable that nothing reads may be there for a test. It is a mistake only if its name is close to that of a variable that is read. */
export const varSetMisspelt = defineRule({
  codes: {
    var_set_misspelt: {
      severity: 'warning',
      title: 'A step sets a variable that nothing reads, with a name close to another',
      why: 'A misspelt name creates a new variable. The variable that was meant keeps its old value.',
      wrong:
        "- id: begin\n  set: { outcome: nothing }\n- id: found\n  set: { outcmoe: something }\n- id: say\n  case: { note: '{{ vars.outcome }}' }",
      right:
        "- id: begin\n  set: { outcome: nothing }\n- id: found\n  set: { outcome: something }\n- id: say\n  case: { note: '{{ vars.outcome }}' }",
    },
  },
  check(subject, report) {
    const { flow, document } = subject
    const reads = readsOf(subject)
    if (reads.has('vars.*')) return
    const sets = [...withNested(flow.steps)].flatMap(({ kind, value, path }) =>
      kind === 'set' ? keysOf(value['set']).map((name) => ({ name, path: [...path, 'set', name] })) : [],
    )
    const read = new Set(sets.flatMap(({ name }) => (reads.has(`vars.${name}`) ? [name] : [])))
    for (const { name, path } of sets) {
      if (read.has(name) || name.length < 4) continue
      const { misspelt } = misspelling(
        name,
        [...read].filter((other) => isSlip(name, other)),
      )
      if (misspelt === undefined) continue
      const fix = renaming(document, path, 'key', misspelt)
      report.at('var_set_misspelt', path, `nothing reads \`vars.${name}\`; did you mean \`${misspelt.meant}\`?`, { part: 'key', ...withFix(fix) })
    }
  },
})

/**
 * Returns whether one name is probably a misspelling of the other. `user1` and `user2`, or `issue` and
 * `issues`, are just different names.
 */
function isSlip(name: string, other: string): boolean {
  const bare = (text: string): string => text.toLowerCase().replace(/[^a-z]/g, '')
  return (
    bare(name).replace(/s$/, '') !== bare(other).replace(/s$/, '') &&
    name.split('_').length === other.split('_').length &&
    Math.abs(name.length - other.length) <= 1
  )
}

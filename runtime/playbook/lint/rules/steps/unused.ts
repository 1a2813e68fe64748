import { isObject, type Json } from '../../../../domain/index.ts'
import { partsOf } from '../../../../expressions/index.ts'
import { misspelling } from '../../../../yaml/index.ts'
import { keysOf, renaming } from '../../../compile/index.ts'
import { calledBy, type StepNode, slotOf, stringsIn, withFix, withNested } from '../../document/index.ts'
import type { Report, Rule, Subject } from '../../rule.ts'

/** What is declared and nothing uses. */
export const unused: Rule = {
  codes: ['input_unused', 'slot_unused', 'loop_item_unused', 'var_set_misspelt'],
  check(subject, report) {
    const reads = readsIn(subject.root, subject)
    for (const name of keysOf(subject.root['inputs'])) {
      if (!reads.has(`inputs.${name}`) && !reads.has('inputs.*')) {
        report.at('input_unused', ['inputs', name], `nothing reads the input \`${name}\``, { part: 'key' })
      }
    }
    unusedSlots(subject, reads, report)
    misspeltVars(subject, reads, report)
    for (const step of withNested(subject.flow.steps)) if (step.kind === 'foreach') unusedItem(step, subject, report)
  },
}

function unusedSlots({ root, flow, world }: Subject, reads: ReadonlySet<string>, report: Report): void {
  const used = new Set<string>()
  for (const step of withNested(flow.steps)) {
    const skill = calledBy(step, world)
    if (skill !== null) used.add(slotOf(step, skill, root['connections']))
    if (skill === null || step.value['connection'] !== undefined) continue
    // Where several fit, the step must say which it means; that is told.
    for (const [name, slot] of Object.entries(isObject(root['connections']) ? root['connections'] : {})) {
      if (isObject(slot) && slot['integration'] === skill.integration) used.add(name)
    }
  }
  for (const name of keysOf(root['connections'])) {
    if (used.has(name) || reads.has(`connections.${name}`)) continue
    report.at('slot_unused', ['connections', name], `no step uses the slot \`${name}\`, and runs need a connection for it all the same`, {
      part: 'key',
    })
  }
}

/** A variable that nothing reads may be for a test to look at; one that is named almost like another that is read is a slip. */
function misspeltVars({ flow, document }: Subject, reads: ReadonlySet<string>, report: Report): void {
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
}

/** `first_count` and `last_count`, `user1` and `user2`, `issue` and `issues` are different names. */
function isSlip(name: string, other: string): boolean {
  const bare = (text: string): string => text.toLowerCase().replace(/[^a-z]/g, '')
  return (
    bare(name).replace(/s$/, '') !== bare(other).replace(/s$/, '') &&
    name.split('_').length === other.split('_').length &&
    Math.abs(name.length - other.length) <= 1
  )
}

/** Steps that do the same for every item were most likely meant to look at it. */
function unusedItem(step: StepNode, subject: Subject, report: Report): void {
  const name = typeof step.value['as'] === 'string' ? step.value['as'] : 'item'
  const body = step.value['steps']
  if (body === undefined || readsIn(body, subject).has(name)) return
  report.at(
    'loop_item_unused',
    [...step.path, step.value['as'] === undefined ? 'foreach' : 'as'],
    `no step of the loop reads \`${name}\`, so each iteration does the same`,
  )
}

/** Every root, and every root with its next part, that is read anywhere in a value. */
function readsIn(value: Json, { world }: Subject): ReadonlySet<string> {
  const found = new Set<string>()
  const add = (path: readonly string[]): void => {
    const [root = '', name] = path
    // A root that is read as a whole: all that is in it.
    found.add(root).add(`${root}.${name ?? '*'}`)
  }
  // What stands in keys, or was meant to be a template, is told as that.
  for (const [name] of JSON.stringify(value).matchAll(/\binputs\.\w+/g)) found.add(name)
  for (const { text, path } of stringsIn(value, [])) {
    if (text.includes('{')) for (const { path: read } of partsOf(text, world.filters())?.reads ?? []) add(read)
    // What does not parse may read anything that it names.
    if (text.includes('{') && partsOf(text, world.filters()) === null)
      for (const [name] of text.matchAll(/[A-Za-z_]\w*(?:\.\w+)?/g)) add(name.split('.'))
    if (path.some((part) => part === 'var' || part === 'missing' || part === 'missing_some')) add(text.split('.'))
  }
  return found
}

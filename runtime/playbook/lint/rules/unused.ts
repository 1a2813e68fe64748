import type { Json } from '../../../domain/index.ts'
import { partsOf } from '../../../expressions/index.ts'
import { isObject, keysOf } from '../../compile/names.ts'
import { type StepNode, withNested } from '../document/outline.ts'
import { calledBy, slotOf } from '../document/skills.ts'
import { stringsIn } from '../document/strings.ts'
import type { Report, Rule, Subject } from '../rule.ts'

/** What is declared and nothing uses. */
export const unused: Rule = {
  codes: ['input_unused', 'slot_unused', 'loop_item_unused'],
  check(subject, report) {
    const reads = readsIn(subject.root, subject)
    for (const name of keysOf(subject.root['inputs'])) {
      if (!reads.has(`inputs.${name}`) && !reads.has('inputs')) {
        report.at('input_unused', ['inputs', name], `nothing reads the input \`${name}\``, { part: 'key' })
      }
    }
    unusedSlots(subject, reads, report)
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
    if (path.length === 1) found.add(path[0] ?? '')
    else found.add(path.slice(0, 2).join('.')).add(path[0] === 'inputs' ? '' : (path[0] ?? ''))
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

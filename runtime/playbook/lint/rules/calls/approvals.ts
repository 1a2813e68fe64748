import { isObject, type Json, permissions } from '../../../../domain/index.ts'
import { type DocumentPath, misspelling } from '../../../../yaml/index.ts'
import { calledBy, type StepNode, withNested } from '../../document/index.ts'
import { isDone, presenceOf } from '../../flow/index.ts'
import type { Report, Rule, Subject } from '../../rule.ts'

/** Changes that should be approved, and approvals that do not lie on every way to what they cover. */
export const approvals: Rule = {
  codes: ['high_impact_unapproved', 'approval_bypassed', 'approval_covers_nothing', 'approver_misspelt'],
  check(subject, report) {
    const steps = [...withNested(subject.flow.steps)]
    const covers = steps.filter(({ kind }) => kind === 'approve').flatMap(coversOf)
    for (const approve of steps) if (approve.kind === 'approve') checkApprove(approve, covers, subject, report)
    for (const step of steps) {
      const own = covers.filter(({ id }) => id === step.id)
      const [only, another] = own
      // Of several approvals each may lie on a way of its own.
      if (only !== undefined && another === undefined) checkCovered(only, step, subject, report)
      const called = calledBy(step, subject.world)
      if (called?.known?.impact !== 'high' || own.length > 0) continue
      const skill = `${called.integration}.${called.name}`
      const told = `${skill} has high impact and no \`approve\` covers it; whether anybody is asked is then for the organization's policy to say`
      report.at('high_impact_unapproved', [...step.path, 'skill'], told)
    }
  },
}

/** Who may be asked is a name that anybody may have; one that is nearly a word of ours is most likely that word. */
const words: readonly string[] = ['approver', ...permissions]

function checkApprove(approve: StepNode, covers: readonly Cover[], subject: Subject, report: Report): void {
  const asked = isObject(approve.value['approve']) ? approve.value['approve'] : {}
  const by = asked['by']
  for (const [index, name] of (Array.isArray(by) ? (by as readonly Json[]) : []).entries()) {
    const { misspelt } = typeof name === 'string' && !words.includes(name) ? misspelling(name, words) : {}
    if (misspelt === undefined) continue
    const path = [...approve.path, 'approve', 'by', index]
    report.at('approver_misspelt', path, `nobody may be called \`${misspelt.name}\`; did you mean \`${misspelt.meant}\`?`)
  }
  if (covers.some((cover) => cover.approve === approve)) return
  const held = [...subject.flow.entering].find(([step, state]) => {
    const impact = calledBy(step, subject.world)?.known?.impact
    return (impact === 'write' || impact === 'high') && state.names.has(`steps.${approve.id}`) && !covers.some(({ id }) => id === step.id)
  })
  if (held === undefined) return
  const { line } = subject.document.locate(held[0].path)
  const told = `this approval covers no step, so \`${held[0].id}\` (line ${line}) is not held to what was approved; name it in \`covers\``
  report.at('approval_covers_nothing', [...approve.path, 'approve'], told, { part: 'key' })
}

interface Cover {
  readonly approve: StepNode
  readonly id: string
  readonly path: DocumentPath
}

function coversOf(approve: StepNode): readonly Cover[] {
  const { value, path } = approve
  const covers = isObject(value['approve']) ? value['approve']['covers'] : undefined
  const at = [...path, 'approve', 'covers']
  if (typeof covers === 'string') return [{ approve, id: covers, path: at }]
  if (!Array.isArray(covers)) return []
  return (covers as readonly Json[]).flatMap((id, index) => (typeof id === 'string' ? [{ approve, id, path: [...at, index] }] : []))
}

/** A step that comes before its approval is the compiler's to tell. */
function checkCovered({ approve, path }: Cover, step: StepNode, { flow, document }: Subject, report: Report): void {
  const state = flow.entering.get(step)
  const name = `steps.${approve.id}`
  if (state === undefined || !state.reachable || !state.names.has(name)) return
  const passed = presenceOf(state, name)
  if (isDone(passed)) return
  const how = passed.may.has('failed') ? 'when it was declined or has expired' : 'on a way that leaves it out'
  const { line } = document.locate(step.path)
  report.at('approval_bypassed', path, `\`${step.id}\` (line ${line}) is also reached ${how}, and fails there without the approval`)
}

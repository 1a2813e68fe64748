import { parseDuration } from '../../../formats/index.ts'
import type { ApproveStepDocument } from '../../grammar/index.ts'
import type { ApproveStep, SkillStep } from '../../plan.ts'
import type { Compilation } from '../compilation.ts'
import type { StepAt } from './step-at.ts'

/** Compiles an approval. `approvals.ts` adds the covered steps when all steps are known. */
export function compileApprove(compilation: Compilation, { step, path, scope, base }: StepAt<ApproveStepDocument>): ApproveStep {
  const { title, by = [], approvers = 1, expires, covers = [] } = step.approve
  const covered: SkillStep[] = []
  compilation.approvals.set(base.id, { covered, scope })
  return {
    ...base,
    kind: 'approve',
    title: compilation.value(title, [...path, 'approve', 'title'], scope),
    by,
    approvers,
    expires: expires === undefined ? null : parseDuration(expires),
    covers: [covers].flat(),
    covered,
  }
}

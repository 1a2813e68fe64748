import type { CaseStepDocument } from '../../grammar/index.ts'
import type { CaseStep } from '../../plan.ts'
import type { Compilation } from '../compilation.ts'
import type { StepAt } from './step-at.ts'

/** Compiles a step that writes into the case. */
export function compileCase(compilation: Compilation, { step, path, scope, base }: StepAt<CaseStepDocument>): CaseStep {
  const { note, finding, severity, disposition, status } = step.case
  return {
    ...base,
    kind: 'case',
    note: note === undefined ? null : compilation.value(note, [...path, 'case', 'note'], scope),
    finding: finding === undefined ? null : compilation.value(finding, [...path, 'case', 'finding'], scope),
    severity: severity ?? null,
    disposition: disposition ?? null,
    status: status ?? null,
  }
}

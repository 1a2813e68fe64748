import { type StepNode, withNested } from '../../document/index.ts'
import type { Subject } from '../../rule.ts'

/** Yields the `script` steps of a playbook, each with its code. */
export function* scriptSteps({ flow }: Subject): Generator<StepNode & { readonly script: string }> {
  for (const step of withNested(flow.steps)) {
    const { script } = step.value
    if (step.kind === 'script' && typeof script === 'string') yield { ...step, script }
  }
}

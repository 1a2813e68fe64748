import { type Json, longerThan } from '../../../domain/index.ts'
import { failed } from '../../failure/failed.ts'
import { StepFailed } from '../../failure/signals.ts'
import type { OutcomeContext } from '../contexts.ts'

/**
 * Checks that a value which a step creates for the run or the case is within the size limit of outputs.
 * @throws StepFailed `output_too_large`
 */
export function checkOutputSize({ plan }: Pick<OutcomeContext, 'plan'>, value: Json | undefined, address: string): void {
  const most = plan.limits.output
  if (value !== undefined && longerThan(value, most))
    throw new StepFailed(failed('output_too_large', `More than ${most} characters, which is limits.output.`, address))
}

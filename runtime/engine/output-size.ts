import { type Json, longerThan } from '../domain/index.ts'
import { failed } from './failed.ts'
import { StepFailed } from './signals.ts'
import type { Walk } from './walk.ts'

/**
 * A value that a step makes for the run or the case: held to the size that outputs may have.
 * @throws StepFailed `output_too_large`
 */
export function checkSize({ plan }: Pick<Walk, 'plan'>, value: Json | undefined, address: string): void {
  const most = plan.limits.output
  if (value !== undefined && longerThan(value, most))
    throw new StepFailed(failed('output_too_large', `More than ${most} characters, which is limits.output.`, address))
}

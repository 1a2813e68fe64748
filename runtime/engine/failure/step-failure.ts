import type { Failure } from '../../domain/index.ts'
import { type ErrorCode, isTocsinError } from '../../errors/index.ts'
import { failed } from './failed.ts'
import { RunFailed, StepFailed } from './signals.ts'

/**
 * Returns the failure of a step from a thrown error.
 * @throws signals and infrastructure faults, unchanged
 */
export function stepFailureOf(error: unknown, address: string): Failure {
  if (error instanceof StepFailed) return error.failure
  if (isTocsinError(error) && stepCodes.has(error.code)) return failed(error.code, error.message, address)
  if (isTocsinError(error) && error.code === 'run_evaluation_exceeded') throw new RunFailed(failed(error.code, error.message, address))
  throw error
}

/** Codes of errors that come from the playbook or the alert. All other errors are ours and do not fail the step. */
const stepCodes: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'template_failed',
  'condition_failed',
  'evaluation_exceeded',
  'loop_not_a_list',
  'loop_too_long',
  'skill_unknown',
  'secret_unreadable',
  'inputs_missing',
  'inputs_invalid',
])

import type { Failure } from '../../domain/index.ts'
import { type ErrorCode, registry } from '../../errors/index.ts'

/**
 * Creates a failure with a code of the registry, including its remedy.
 * @param step address of the step that failed; null: no step
 */
export function failed(code: ErrorCode, message: string, step: string | null): Failure {
  return { code, message, remedy: registry[code].remedy, step }
}

import type { Json } from '../../../domain/index.ts'
import type { DocumentPath } from '../../../yaml/index.ts'
import type { ProblemCode } from '../problem.ts'
import { operation } from './facts.ts'

interface Teller {
  tell(code: ProblemCode, at: DocumentPath, message: string): void
}

/** Reports `{"or": [condition, "ACTIVE"]}` where only its truth matters: the last argument is not a comparison, and is always true. */
export function pitfallOfOr(rule: Json, at: DocumentPath, teller: Teller): void {
  const found = operation(rule)
  const last = found?.name === 'or' && found.args.length > 1 ? found.args.at(-1) : undefined
  if (last === undefined || (typeof last !== 'string' && typeof last !== 'number') || last === '' || last === 0) return
  const told = `${JSON.stringify(last)} by itself counts as true, so this \`or\` is always true; to compare with several values, use \`in\` with a list`
  teller.tell('logic_pitfall', [...at, 'or', (found?.args.length ?? 1) - 1], told)
}

import type { Json } from '../../../domain/index.ts'
import type { DocumentPath, Misspelling } from '../../../yaml/index.ts'
import type { OperatorCall } from '../../operators/call.ts'
import { isSpecial, operatorNamed } from '../../operators/index.ts'
import { any, step, type Type, typeOfValue, unionOf } from '../model/index.ts'
import type { Problem, ProblemCode } from '../problem.ts'
import { operation } from './facts.ts'
import type { Scope } from './scope.ts'

/** Reads the types of one rule, and collects its problems. */
export class RuleReader {
  readonly problems: Problem[] = []

  readonly tell = (code: ProblemCode, at: DocumentPath, message: string, misspelt?: Misspelling, offset = 0): void => {
    this.problems.push({ code, message, at, offset, ...(misspelt && { misspelt }) })
  }

  readonly read = (rule: Json, at: DocumentPath, scope: Scope): Type => {
    step()
    if (Array.isArray(rule)) {
      const items = (rule as readonly Json[]).map((item, index) => this.read(item, [...at, index], scope))
      return { ...typeOfValue([]), list: { items: unionOf(items), least: items.length } }
    }
    const found = operation(rule)
    if (found === null) return typeOfValue(rule)
    const { name, args, listed } = found
    const inside = [...at, name]
    const place = (index: number): DocumentPath => (listed ? [...inside, index] : inside)
    const { read, tell } = this
    const evaluated = (): OperatorCall => ({
      name,
      at: inside,
      args: args.map((written, index) => ({ written, at: place(index), type: read(written, place(index), scope) })),
      tell,
    })
    const operator = operatorNamed(name)
    if (operator === undefined) return any
    return isSpecial(operator) ? operator.types({ name, rule, args, at: inside, scope, place, read, evaluated, tell }) : operator.types(evaluated())
  }
}

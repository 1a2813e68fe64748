import type { Json } from '../../domain/index.ts'
import { isTocsinError } from '../../errors/index.ts'
import { type Context, compileValue, type Path, type ValueTemplate } from '../../expressions/index.ts'

/** A skill's `result`, compiled. */
export interface ResultPlan {
  readonly reads: readonly Path[]
  /** @throws TocsinError `template_failed` */
  render(context: Context): Json | undefined
  /** Renders as much as possible. Members that fail are left out, and `faults` says why. */
  renderWhatCan(context: Context): { readonly output: Json; readonly faults: readonly string[] }
}

/** @throws ExpressionError */
export function compileResult(result: Json): ResultPlan {
  const whole = compileValue(result)
  const parts: readonly (readonly [string, ValueTemplate])[] | null =
    typeof result === 'object' && result !== null && !Array.isArray(result)
      ? Object.entries(result).map(([name, part]) => [name, compileValue(part)] as const)
      : null
  return {
    reads: whole.reads,
    render: whole.render,
    renderWhatCan: (context) => (parts === null ? attempt(whole, context, 'the output') : together(parts, context)),
  }
}

function together(parts: readonly (readonly [string, ValueTemplate])[], context: Context): ReturnType<ResultPlan['renderWhatCan']> {
  const faults: string[] = []
  const members = parts.flatMap(([name, part]) => {
    const made = attempt(part, context, name)
    faults.push(...made.faults)
    return made.faults.length > 0 || made.value === undefined ? [] : [[name, made.value] as const]
  })
  return { output: Object.fromEntries(members), faults }
}

function attempt(
  template: ValueTemplate,
  context: Context,
  name: string,
): { readonly output: Json; readonly value: Json | undefined; readonly faults: readonly string[] } {
  try {
    const value = template.render(context)
    return { output: value ?? {}, value, faults: [] }
  } catch (error) {
    if (!isTocsinError(error)) throw error
    return { output: {}, value: undefined, faults: [`${name} could not be made from the answer: ${error.message}`] }
  }
}

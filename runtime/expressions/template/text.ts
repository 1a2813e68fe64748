import { ofCharacters } from '../cost.ts'
import { ExpressionError } from '../error.ts'
import type { Filters } from '../filters/quoting.ts'
import type { Context, Path } from '../types.ts'
import type { Meter } from '../work.ts'
import type { Insert } from './engine.ts'
import { asJson, writing } from './normalise.ts'
import { type Compiled, compileMixed, enginesOf, isTemplate, noFilters, paying, TemplateFault } from './template.ts'

/** A compiled string that always renders to a string. */
export interface TextTemplate {
  readonly reads: readonly Path[]
  readonly constant: boolean
  /** @throws TocsinError `template_failed`, also when a value is missing; `evaluation_exceeded` */
  render(context: Context): string
}

/**
 * Returns the text of a value inside other text: texts unchanged, lists and objects as JSON, null as an empty text. Charges the meter.
 * @throws Error if the value is missing or is not JSON; WorkExceeded
 */
export function renderText(value: unknown, meter: Meter): string {
  if (typeof value === 'string') {
    meter.charge(ofCharacters(value.length))
    return value
  }
  const json = asJson(value, meter, writing)
  if (json === undefined) throw new Error('a value is missing; give it a default (`| default: …`)')
  if (json === null) return ''
  return typeof json === 'object' ? JSON.stringify(json) : String(json)
}

/**
 * Compiles a string in which every `{{ … }}` becomes text, for example a path of a request.
 * @param insert turns a value into the text that is inserted, for example percent-encoded; `renderText` by default
 * @throws ExpressionError if the string does not parse
 */
export function compileText(source: string, filters: Filters = noFilters, insert: Insert = renderText): TextTemplate {
  if (!isTemplate(source)) return { reads: [], constant: true, render: () => source }
  try {
    const compiled: Compiled<string> = compileMixed(source, enginesOf(filters, insert))
    return {
      reads: compiled.reads.map(({ path }) => path),
      constant: false,
      render: (context) => paying(null, (meter) => compiled.render(context, meter)),
    }
  } catch (error) {
    if (error instanceof TemplateFault) throw new ExpressionError([error.at([])])
    throw error
  }
}

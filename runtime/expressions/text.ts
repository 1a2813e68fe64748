import type { Insert } from './engine.ts'
import { ExpressionError } from './error.ts'
import type { Filters } from './filters.ts'
import { asJson } from './normalise.ts'
import { type Compiled, compileMixed, enginesOf, isTemplate, noFilters, TemplateFault } from './template.ts'
import type { Context, Path } from './types.ts'

/** A compiled string that always renders to a string. */
export interface TextTemplate {
  readonly reads: readonly Path[]
  readonly constant: boolean
  /** @throws TocsinError `template_failed`, also when a value is missing */
  render(context: Context): string
}

/** A value as it stands inside text: texts as they are, lists and objects as JSON, null as nothing. */
export function renderText(value: unknown): string {
  if (typeof value === 'string') return value
  const json = asJson(value)
  if (json === undefined) throw new Error('a value is missing; give it a default (`| default: …`)')
  return json === null ? '' : typeof json === 'object' ? JSON.stringify(json) : String(json)
}

/**
 * Compiles a string in which every `{{ … }}` becomes text, for example a path of a request.
 * @param insert turns a value into the text that is inserted, for example percent-encoded; `renderText` by default
 * @throws ExpressionError when the string does not parse
 */
export function compileText(source: string, filters: Filters = noFilters, insert: Insert = renderText): TextTemplate {
  if (!isTemplate(source)) return { reads: [], constant: true, render: () => source }
  try {
    const compiled: Compiled<string> = compileMixed(source, enginesOf(filters, insert))
    return { reads: compiled.reads.map(({ path }) => path), constant: false, render: compiled.render }
  } catch (error) {
    if (error instanceof TemplateFault) throw new ExpressionError([error.at([])])
    throw error
  }
}

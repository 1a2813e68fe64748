import { Output, type Template } from 'liquidjs'
import type { Filters } from '../filters/quoting.ts'
import type { Path } from '../types.ts'
import { compileMixed, compileWhole, enginesOf, TemplateFault } from './template.ts'
import { renderText } from './text.ts'

/** A path that a template reads. */
interface TemplateRead {
  readonly path: Path
  /** The offset in the string, in characters from 0. */
  readonly offset: number
}

/** One `{{ … }}`. */
export interface TemplateOutput {
  /** The range from `{{` to the end of `}}`, in characters from 0. */
  readonly start: number
  readonly end: number
  /** The names of its filters in order. */
  readonly filters: readonly string[]
  /** The paths whose values it shows. Those in arguments of filters are left out. */
  readonly shown: readonly Path[]
}

export interface TemplateParts {
  readonly reads: readonly TemplateRead[]
  readonly outputs: readonly TemplateOutput[]
}

/** Returns the paths that a template reads, and its outputs. Null if it does not parse. */
export function partsOf(source: string, filters: Filters): TemplateParts | null {
  const engines = enginesOf(filters, renderText)
  try {
    const { reads } = compileWhole(source, engines) ?? compileMixed(source, engines)
    return { reads, outputs: [...outputsIn(engines.typed.parse(source))].map((output) => outputOf(output, reads)) }
  } catch (error) {
    if (error instanceof TemplateFault) return null
    throw error
  }
}

function* outputsIn(templates: readonly Template[]): Generator<Output> {
  for (const template of templates) {
    if (template instanceof Output) yield template
    else yield* outputsIn(childrenOf(template))
  }
}

function childrenOf(template: Template): readonly Template[] {
  const children: unknown = template.children?.(false, true).next().value
  return Array.isArray(children) ? (children as Template[]) : []
}

function outputOf({ token, value }: Output, reads: readonly TemplateRead[]): TemplateOutput {
  const [first] = value.filters as unknown as readonly { readonly token: { readonly begin: number } }[]
  const end = first?.token.begin ?? token.end
  return {
    start: token.begin,
    end: token.end,
    filters: value.filters.map(({ name }) => name),
    shown: reads.filter(({ offset }) => offset >= token.begin && offset < end).map(({ path }) => path),
  }
}

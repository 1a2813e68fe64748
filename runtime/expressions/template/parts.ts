import { Output, type Template } from 'liquidjs'
import type { Filters } from '../filters/quoting.ts'
import type { Path } from '../types.ts'
import { parsedTemplate } from './parsed.ts'
import { enginesOf, readsOf } from './template.ts'
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

/** Parts by syntax tree. Several rules of lint look at the same string. */
const kept = new WeakMap<readonly Template[], TemplateParts>()

/** Returns the paths that a template reads, and its outputs. Null if it does not parse. */
export function partsOf(source: string, filters: Filters): TemplateParts | null {
  const templates = parsedTemplate(source, filters)
  if (templates === null) return null
  const known = kept.get(templates)
  if (known !== undefined) return known
  const reads = readsOf(source, enginesOf(filters, renderText).typed, templates)
  const parts = { reads, outputs: [...outputsIn(templates)].map((output) => outputOf(output, reads)) }
  kept.set(templates, parts)
  return parts
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

import type { Liquid, Template } from 'liquidjs'
import type { Filters } from '../filters/quoting.ts'
import { enginesOf, parse, TemplateFault } from './template.ts'
import { renderText } from './text.ts'

/** Parsed strings, by engine. Several checks look at the same string. */
const kept = new WeakMap<Liquid, Map<string, readonly Template[] | null>>()
const mostKept = 5_000

/** Returns the syntax tree of a string with templates. Null if it does not parse, because its compilation reports what is wrong. */
export function parsedTemplate(source: string, filters: Filters): readonly Template[] | null {
  // The other engine would add its conversion to text to every output.
  const { typed } = enginesOf(filters, renderText)
  const known = kept.get(typed) ?? new Map<string, readonly Template[] | null>()
  kept.set(typed, known)
  const standing = known.get(source)
  if (standing !== undefined) return standing
  if (known.size >= mostKept) known.clear()
  const parsed = parsedBy(typed, source)
  known.set(source, parsed)
  return parsed
}

function parsedBy(engine: Liquid, source: string): readonly Template[] | null {
  try {
    return parse(source, engine)
  } catch (error) {
    if (error instanceof TemplateFault) return null
    throw error
  }
}

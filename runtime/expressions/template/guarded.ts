import { Output, type Tag, type Template, type Value } from 'liquidjs'
import type { Filters } from '../filters/quoting.ts'
import type { Path } from '../types.ts'
import { compileMixed, compileWhole, enginesOf, TemplateFault } from './template.ts'
import { renderText } from './text.ts'

/** A path that a template reads. */
interface TemplateRead {
  readonly path: Path
  /** The offset in the string, in characters from 0. */
  readonly offset: number
  /** Whether the template works without the value: `| default:` comes first, or an `{% if %}` tests the value here or around this place. */
  readonly guarded: boolean
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
    const zones: Zone[] = []
    const outputs: Output[] = []
    walk(engines.typed.parse(source), { zones, outputs, sites: reads })
    return {
      reads: reads.map(({ path, offset }) => ({ path, offset, guarded: zones.some((zone) => covers(zone, path, offset)) })),
      outputs: outputs.map((output) => outputOf(output, reads)),
    }
  } catch (error) {
    if (error instanceof TemplateFault) return null
    throw error
  }
}

interface Site {
  readonly path: Path
  readonly offset: number
}

/** A part of the template in which the values under `prefixes` may be missing. Null: all values. */
interface Zone {
  readonly start: number
  readonly end: number
  readonly prefixes: readonly Path[] | null
}

interface Found {
  readonly zones: Zone[]
  readonly outputs: Output[]
  readonly sites: readonly Site[]
}

function covers({ start, end, prefixes }: Zone, path: Path, offset: number): boolean {
  if (offset < start || offset >= end) return false
  return prefixes === null || prefixes.some((prefix) => prefix.length <= path.length && prefix.every((part, index) => part === path[index]))
}

function walk(templates: readonly Template[], found: Found): void {
  for (const template of templates) {
    if (template instanceof Output) {
      found.outputs.push(template)
      const end = firstFilter(template.value, 'default')
      if (end !== null) found.zones.push({ start: template.token.begin, end, prefixes: null })
      continue
    }
    const tag = template as Tag & { readonly branches?: readonly Branch[]; readonly elseTemplates?: readonly Template[]; readonly value?: Value }
    const { branches } = tag
    if (tag.name === 'assign' && tag.value !== undefined) {
      const end = firstFilter(tag.value, 'default')
      if (end !== null) found.zones.push({ start: tag.token.begin, end, prefixes: null })
    }
    if ((tag.name === 'if' || tag.name === 'unless') && branches !== undefined) conditional(branches, tag.elseTemplates ?? [], found)
    else for (const child of childrenOf(tag)) walk(child, found)
  }
}

interface Branch {
  readonly value?: Value
  readonly templates: readonly Template[]
}

/** A missing value is false in a test. In the branches of the test, the same value is guarded, because the test has asked for it. */
function conditional(branches: readonly Branch[], otherwise: readonly Template[], found: Found): void {
  const asked: Path[] = []
  for (const { value, templates } of branches) {
    const [start, end] = value === undefined ? [0, 0] : spanOf(value)
    found.zones.push({ start, end, prefixes: null })
    asked.push(...found.sites.filter(({ offset }) => offset >= start && offset < end).map(({ path }) => path))
    body(templates, asked, found)
  }
  body(otherwise, asked, found)
}

function body(templates: readonly Template[], asked: readonly Path[], found: Found): void {
  const first = templates[0]
  const last = templates.at(-1)
  if (first === undefined || last === undefined) return
  found.zones.push({ start: first.token.begin, end: endOf(last), prefixes: [...asked] })
  walk(templates, found)
}

function endOf(template: Template): number {
  const inner = childrenOf(template).flat().at(-1)
  return Math.max(template.token.end, inner === undefined ? 0 : endOf(inner))
}

function childrenOf(template: Template): readonly (readonly Template[])[] {
  const children = template.children?.(false, true)
  if (children === undefined) return []
  const result = children.next()
  return Array.isArray(result.value) ? [result.value as Template[]] : []
}

/** Returns the offset of the first filter. Null if it has another name. */
function firstFilter({ filters }: Value, name: string): number | null {
  const [first] = filters as unknown as readonly { readonly name: string; readonly token: { readonly begin: number } }[]
  return first?.name === name ? first.token.begin : null
}

function spanOf(value: Value): readonly [number, number] {
  const tokens = value.initial.postfix
  const filters = value.filters as unknown as readonly { readonly token: { readonly end: number } }[]
  const begins = tokens.map(({ begin }) => begin)
  const ends = [...tokens.map(({ end }) => end), ...filters.map(({ token }) => token.end)]
  return begins.length === 0 ? [0, 0] : [Math.min(...begins), Math.max(...ends)]
}

function outputOf({ token, value }: Output, reads: readonly Site[]): TemplateOutput {
  const [first] = value.filters as unknown as readonly { readonly token: { readonly begin: number } }[]
  const end = first?.token.begin ?? token.end
  return {
    start: token.begin,
    end: token.end,
    filters: value.filters.map(({ name }) => name),
    shown: reads.filter(({ offset }) => offset >= token.begin && offset < end).map(({ path }) => path),
  }
}

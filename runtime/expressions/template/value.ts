import type { Json } from '../../domain/index.ts'
import { ofKeys } from '../cost.ts'
import { ExpressionError, type ExpressionFault } from '../error.ts'
import type { Filters } from '../filters/quoting.ts'
import type { Context, Located, ReadSite, ValueTemplate } from '../types.ts'
import type { Meter } from '../work.ts'
import { type Compiled, compileMixed, compileWhole, enginesOf, isTemplate, noFilters, paying, TemplateFault } from './template.ts'
import { renderText } from './text.ts'

/**
 * Compiles a YAML value whose strings may contain templates.
 * @param filters quoting filters by name. Pass the same object for all values of one document
 * @throws ExpressionError with a fault for each string that does not parse
 */
export function compileValue(value: Json, filters: Filters = noFilters): ValueTemplate & Located {
  const sites: ReadSite[] = []
  const faults: ExpressionFault[] = []
  const used = enginesOf(filters, renderText)

  const compile = (part: Json, path: readonly (string | number)[]): Compiled<Json | undefined>['render'] | null => {
    if (typeof part === 'string') return isTemplate(part) ? compileString(part, path) : null
    if (typeof part !== 'object' || part === null) return null
    if (Array.isArray(part)) {
      const items = (part as readonly Json[]).map((item, index) => compile(item, [...path, index]))
      return items.every((item) => item === null) ? null : renderList(part, items)
    }
    const entries = Object.entries(part as Readonly<Record<string, Json>>)
    const values = entries.map(([key, item]) => compile(item, [...path, key]))
    return values.every((item) => item === null) ? null : renderObject(entries, values)
  }

  const compileString = (source: string, path: readonly (string | number)[]): Compiled<Json | undefined>['render'] => {
    try {
      const compiled = compileWhole(source, used) ?? compileMixed(source, used)
      sites.push(...compiled.reads.map((read) => ({ ...read, at: path })))
      return compiled.render
    } catch (error) {
      if (!(error instanceof TemplateFault)) throw error
      faults.push(error.at(path))
      return () => undefined
    }
  }

  const render = compile(value, [])
  if (faults.length > 0) throw new ExpressionError(faults)
  return {
    source: value,
    reads: sites.map((site) => site.path),
    sites,
    constant: render === null,
    render: render ? (context, together = null) => paying(together, (meter) => render(context, meter)) : () => value,
  }
}

type Render = ((context: Context, meter: Meter) => Json | undefined) | null

function renderList(list: readonly Json[], renders: readonly Render[]): (context: Context, meter: Meter) => Json {
  return (context, meter) => {
    const rendered: Json[] = []
    meter.charge(renders.length)
    for (const [index, render] of renders.entries()) {
      const item = render ? render(context, meter) : list[index]
      if (item !== undefined) rendered.push(item)
    }
    return rendered
  }
}

function renderObject(entries: readonly (readonly [string, Json])[], renders: readonly Render[]): (context: Context, meter: Meter) => Json {
  return (context, meter) => {
    const rendered: [string, Json][] = []
    meter.charge(ofKeys(entries.length))
    for (const [index, [key, constant]] of entries.entries()) {
      const render = renders[index]
      const item = render ? render(context, meter) : constant
      if (item !== undefined) rendered.push([key, item])
    }
    // An assignment to `__proto__` would be lost.
    return Object.fromEntries(rendered)
  }
}

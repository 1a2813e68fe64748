import { Liquid } from 'liquidjs'
import { dateFilters, type Filters, maxByFilter, quotingFilter, withheldFilters } from './filters.ts'
import { itemFilters } from './item-filters.ts'

/** Characters of one template. */
const parseLimit = 100_000
/** What filters may allocate in one rendering, in Liquid's units (about one for a character or item). */
const memoryLimit = 20_000_000
/** Milliseconds of one rendering: a guard against a template that would hold the worker, far above what any real one takes. */
const renderLimit = 2_000

/** Files, state that outlives a rendering, HTML tables: not for values. */
const withheldTags = ['include', 'render', 'layout', 'block', 'increment', 'decrement', 'cycle', 'tablerow', 'liquid']

/** Turns a rendered value into text where it stands inside text. */
export type Insert = (value: unknown) => string

/** A Liquid without files, clock, randomness or prototypes. With `insert`, outputs go through it on their way into the text. */
export function createEngine(filters: Filters, insert: Insert | null): Liquid {
  const engine = new Liquid({
    strictVariables: true,
    strictFilters: true,
    // Lets `| default:` and `{% if %}` take a missing value; everything else stays strict.
    lenientIf: true,
    ownPropertyOnly: true,
    timezoneOffset: 0,
    locale: 'en-US',
    parseLimit,
    memoryLimit,
    renderLimit,
    // No file is ever looked up: the tags that would are gone, and there is nothing to find.
    templates: {},
    ...(insert === null ? {} : { outputEscape: insert }),
  })
  for (const name of withheldFilters) engine.unregisterFilter(name)
  for (const name of withheldTags) delete engine.tags[name]
  for (const [name, filter] of Object.entries({ ...dateFilters, ...itemFilters })) engine.registerFilter(name, filter)
  engine.registerFilter('max_by', maxByFilter)
  for (const [name, quoting] of Object.entries(filters)) engine.registerFilter(name, quotingFilter(quoting))
  return engine
}

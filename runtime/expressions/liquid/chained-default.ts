import { evalToken, type Filter, Value } from 'liquidjs'

/**
 * Returns whether the argument of a filter may be missing. It may be if the filter is a default and another default follows, which then gives
 * the value. `{{ a | default: b | default: 'none' }}` is the first of `a` and `b` that is there, or `none`.
 * @param at the position among the filters of a value
 */
export function mayNameMissing(filters: readonly Pick<Filter, 'name'>[], at: number): boolean {
  return filters[at]?.name === 'default' && filters[at + 1]?.name === 'default'
}

const { value: strictly } = Value.prototype

/** Lets Liquid read the argument of such a default as null if it is missing. Liquid itself accepts only a missing first value. */
export function acceptChainedDefaults(): void {
  Value.prototype.value = function* (context, lenient) {
    if (!this.filters.some((_, at) => mayNameMissing(this.filters, at))) return yield strictly.call(this, context, lenient)
    let value = yield this.initial.evaluate(context, lenient === true || this.filters[0]?.name === 'default')
    for (const [at, filter] of this.filters.entries()) {
      const [replacement, ...others] = filter.args
      if (!mayNameMissing(this.filters, at) || replacement === undefined || Array.isArray(replacement)) value = yield filter.render(value, context)
      else {
        // Liquid takes a token with `content` as it is.
        const content = yield evalToken(replacement, context, true)
        value = yield Object.create(filter, { args: { value: [{ content }, ...others] } }).render(value, context)
      }
    }
    return value
  }
}

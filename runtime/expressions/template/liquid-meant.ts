/** Filters of other template languages, with the filter that does the same here. */
const filters: Readonly<Record<string, string>> = {
  ...{ upper: 'upcase', uppercase: 'upcase', lower: 'downcase', lowercase: 'downcase', length: 'size', count: 'size', len: 'size', trim: 'strip' },
  ...{
    tojson: 'json',
    to_json: 'json',
    b64encode: 'base64_encode',
    b64decode: 'base64_decode',
    urlencode: 'url_encode',
    unique: 'uniq',
    d: 'default',
  },
}

/** Returns the filter that does the same as one of another language. Null if there is none. */
export function filterMeant(name: string): string | null {
  return Object.hasOwn(filters, name) ? (filters[name] ?? null) : null
}

/** For a message of Liquid's parser: what to write instead. Empty if that is not known. */
export function syntaxMeant(reason: string): string {
  if (reason.startsWith('expected ":" after filter name'))
    return "; the arguments of a filter follow a colon, without parentheses: `| default: 'none'`"
  if (reason.startsWith('unexpected token ")"') || reason.startsWith('invalid range syntax'))
    return '; templates call no functions, only filters: `| downcase`'
  if (reason.startsWith('expected "|" before filter'))
    return '; templates have no `+`, `~` or `? :`: write texts next to each other, choose with `{% if %}`, and add with `| plus: 1`'
  if (reason.startsWith('expected filter name')) return "; a default for a missing value is `| default: 'none'`"
  return ''
}

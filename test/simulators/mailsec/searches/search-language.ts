const fields = ['subject', 'sender', 'recipient', 'link', 'body'] as const

/** One term of a search: the field contains the value, ignoring case. */
export interface Term {
  readonly field: (typeof fields)[number]
  /** In lower case. */
  readonly value: string
}

const term = /\s*(?<field>\w+):(?:"(?<quoted>(?:[^"\\]|\\.)*)"|(?<bare>[^\s"()]+))(?<and>\s+AND(?=\s)|\s*$)/y

/**
 * Parses the simulated query language: `<field>:<word>` or `<field>:"<text>"` with `\` before `"`
 * and `\`, joined by `AND`. The specification does not show the platform's own language.
 *
 * @returns the terms, or what is wrong with the query
 */
export function termsOf(query: string): readonly Term[] | string {
  const terms: Term[] = []
  term.lastIndex = 0
  while (term.lastIndex < query.length) {
    const at = term.lastIndex
    const found = term.exec(query)?.groups
    if (!found) return `The query cannot be read at character ${at + 1}.`
    const field = fields.find((known) => known === found['field'])
    if (!field) return `The query names ${found['field']}; it may name ${fields.join(', ')}.`
    terms.push({ field, value: (found['quoted']?.replaceAll(/\\(.)/g, '$1') ?? found['bare'] ?? '').toLowerCase() })
  }
  return terms.length === 0 ? 'The query is empty.' : terms
}

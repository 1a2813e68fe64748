const fields = ['subject', 'sender', 'recipient', 'link', 'body'] as const

/** One term of a search: the field holds the value somewhere, whatever the case of letters. */
export interface Term {
  readonly field: (typeof fields)[number]
  /** In lower case. */
  readonly value: string
}

const term = /\s*(?<field>\w+):(?:"(?<quoted>(?:[^"\\]|\\.)*)"|(?<bare>[^\s"()]+))(?<and>\s+AND(?=\s)|\s*$)/y

/**
 * The simulated query language: `<field>:<word>` or `<field>:"<text>"` with `\` before `"` and `\`, joined by `AND`. The platform's own is not
 * shown in the specification.
 * @returns what is wrong, in words, when the query is none
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

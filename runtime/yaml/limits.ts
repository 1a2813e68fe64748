/** How large a document may be. Each is checked before the work that it bounds. */
export interface YamlLimits {
  /** Of the text in UTF-8. */
  readonly bytes: number
  readonly lines: number
  /** Keys, values and signs such as `-`, `:` and `[` together: what the parser's work grows with. */
  readonly tokens: number
  readonly depth: number
  /** Of one mapping. */
  readonly keys: number
  /** Of one list. */
  readonly items: number
}

/** Deeper nesting than any playbook or manifest has. */
export const maxDepth = 100

/** Of a file that the operator or an engineer has on disk: a mistake must not take the machine's memory. */
export const fileLimits: YamlLimits = {
  bytes: 32 * 1_024 * 1_024,
  lines: 1_000_000,
  tokens: 4_000_000,
  depth: maxDepth,
  keys: 1_000_000,
  items: 1_000_000,
}

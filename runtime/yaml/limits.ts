/** How large a document may be. Each limit is checked before the work that it limits. */
export interface YamlLimits {
  /** The size of the text in UTF-8. */
  readonly bytes: number
  readonly lines: number
  /** The most keys, values and signs such as `-`, `:` and `[` together. The parser's work grows with this number. */
  readonly tokens: number
  readonly depth: number
  /** The most keys of one mapping. */
  readonly keys: number
  /** The most items of one list. */
  readonly items: number
}

/** Deeper nesting than any playbook or manifest has. */
const maxDepth = 100

/** Limits for files on the disk of an operator or engineer. A mistake in one must not fill the memory. */
export const fileLimits: YamlLimits = {
  bytes: 32 * 1_024 * 1_024,
  lines: 1_000_000,
  tokens: 4_000_000,
  depth: maxDepth,
  keys: 1_000_000,
  items: 1_000_000,
}

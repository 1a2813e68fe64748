import type { Condition, WhereClause } from '@jetstreamapp/soql-parser-js'
import { malformed } from '../replies.ts'

/** A WHERE clause as a tree. */
export type Tree =
  | { readonly kind: 'test'; readonly condition: Leaf }
  | { readonly kind: 'not'; readonly of: Tree }
  | { readonly kind: 'and' | 'or'; readonly of: readonly Tree[] }

export type Leaf = Exclude<WhereClause['left'], null>

type Token = '(' | ')' | 'AND' | 'OR' | 'NOT' | { readonly leaf: Leaf }

/**
 * Makes a tree from the parser's chain, which only counts parentheses. Refuses AND next to OR
 * without parentheses.
 */
export function treeOf(where: WhereClause): Tree {
  const tokens = tokensOf(where)
  let at = 0

  const one = (): Tree => {
    const token = tokens[at]
    at += 1
    if (token === 'NOT') return { kind: 'not', of: one() }
    if (token === '(') {
      const inner = chain()
      if (tokens[at] !== ')') throw malformed('expecting a right parentheses')
      at += 1
      return inner
    }
    if (typeof token !== 'object') throw malformed(`unexpected token: ${token ?? '<EOF>'}`)
    return { kind: 'test', condition: token.leaf }
  }

  const chain = (): Tree => {
    const parts = [one()]
    const joint = tokens[at]
    while (tokens[at] === 'AND' || tokens[at] === 'OR') {
      if (tokens[at] !== joint) throw malformed(`unexpected token: ${String(tokens[at])}`)
      at += 1
      parts.push(one())
    }
    const [only] = parts
    return parts.length === 1 && only ? only : { kind: joint === 'OR' ? 'or' : 'and', of: parts }
  }

  const tree = chain()
  if (at < tokens.length) throw malformed(`unexpected token: ${String(tokens[at])}`)
  return tree
}

function tokensOf(where: WhereClause): readonly Token[] {
  const tokens: Token[] = []
  for (let clause: WhereClause | undefined = where; clause; clause = 'right' in clause ? clause.right : undefined) {
    const { left } = clause
    if (left) {
      const parens: Pick<Condition, 'openParen'> & { readonly closeParen?: number } = left
      for (let count = parens.openParen ?? 0; count > 0; count -= 1) tokens.push('(')
      if ('operator' in left) tokens.push({ leaf: left })
      for (let count = parens.closeParen ?? 0; count > 0; count -= 1) tokens.push(')')
    }
    if ('operator' in clause) tokens.push(clause.operator)
  }
  return tokens
}

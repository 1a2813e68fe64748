import type { Token, ValueToken } from 'liquidjs'

/** A Liquid expression as a tree: a token, or an operator with its operands. */
export type Node = { readonly token: ValueToken } | { readonly operator: string; readonly operands: readonly Node[]; readonly token: Token }

/** Returns the tree of an expression, which Liquid keeps in postfix order. Null if it is not one value. */
export function treeOf(postfix: readonly Token[]): Node | null {
  const stack: Node[] = []
  for (const token of postfix) {
    if (!('operator' in token)) {
      stack.push({ token: token as ValueToken })
      continue
    }
    const operator = String(token.operator)
    const operands = stack.splice(operator === 'not' ? -1 : -2)
    stack.push({ operator, operands, token })
  }
  return stack.length === 1 ? (stack[0] ?? null) : null
}

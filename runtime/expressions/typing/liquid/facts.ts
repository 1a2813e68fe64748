import { TypeGuards, type ValueToken } from 'liquidjs'
import { emptyWords, holdsForNull, literalValue, mirrored, type Node, pathOf } from '../../liquid/index.ts'
import { equal, type Fact, notEqual, step, type Type, without } from '../model/index.ts'

/** What is known if a Liquid expression counts as true, or as false. A missing value is null here. */
export function factsOf(node: Node, holds: boolean): readonly Fact[] {
  step()
  if ('operator' in node) return factsOfOperator(node.operator, node.operands, holds)
  const path = pathOf(node.token)
  if (path === null) return []
  return [
    {
      path,
      refine: holds
        ? there
        : (type) => ({ ...type, boolean: type.boolean.filter((value) => !value), number: null, text: null, list: null, object: null }),
    },
  ]
}

/** Returns the values that count as true in Liquid: all but null and false. */
function there(type: Type): Type {
  return { ...without(type, 'null'), boolean: type.boolean.filter((value) => value), absence: 'no' }
}

function factsOfOperator(operator: string, operands: readonly Node[], holds: boolean): readonly Fact[] {
  const [left, right] = operands
  if (left === undefined) return []
  if (operator === 'not') return factsOf(left, !holds)
  if (right === undefined) return []
  if ((operator === 'and' && holds) || (operator === 'or' && !holds)) return allOf(operator, left, right, holds)
  if (operator === '==' || operator === '!=')
    return [...compared(left, right, (operator === '==') === holds), ...compared(right, left, (operator === '==') === holds)]
  if (holds && operator === 'contains') return present(left)
  const other = mirrored[operator]
  return other === undefined ? [] : [...ordered(operator, left, right, holds), ...ordered(other, right, left, holds)]
}

/** If null would have given the other result, the value is not null. */
function ordered(operator: string, left: Node, right: Node, holds: boolean): readonly Fact[] {
  const value = 'operator' in right ? undefined : writtenValue(right.token)
  const written = typeof value === 'object' ? value.is : undefined
  if (typeof written !== 'number' && typeof written !== 'string') return []
  return holdsForNull(operator, written) === holds ? [] : present(left)
}

/** Returns the facts of a chain of one operator. Liquid nests it in the second operand, so this is a loop and not a recursion. */
function allOf(operator: string, first: Node, rest: Node, holds: boolean): readonly Fact[] {
  const facts = [...factsOf(first, holds)]
  let node = rest
  for (; 'operator' in node && node.operator === operator; node = node.operands[1] as Node) facts.push(...factsOf(node.operands[0] as Node, holds))
  facts.push(...factsOf(node, holds))
  return facts
}

function present(node: Node): readonly Fact[] {
  const path = 'token' in node && !('operator' in node) ? pathOf(node.token) : null
  // A value that has a size is not missing.
  const whole = path?.at(-1) === 'size' ? path.slice(0, -1) : path
  return whole === null || whole === undefined ? [] : [{ path: whole, refine: (type) => without({ ...type, absence: 'no' }, 'null') }]
}

function compared(left: Node, right: Node, same: boolean): readonly Fact[] {
  const path = 'operator' in left ? null : pathOf(left.token)
  const value = 'operator' in right ? undefined : writtenValue(right.token)
  if (path === null || value === undefined) return []
  if (value === 'nothing') return same ? [] : present(left)
  if (value.is === null) return same ? [] : [{ path, refine: (type) => notEqual(type, null) }]
  const { is } = value
  // A missing value is null here, and null differs from every other value.
  return [{ path, refine: same ? (type) => equal(type, is) : (type) => ({ ...notEqual(type, is), absence: type.absence, null: type.null }) }]
}

/** Returns the value of a constant. `nothing` for `blank`, because null is blank, too. */
function writtenValue(token: ValueToken): { readonly is: string | number | boolean | null } | 'nothing' | undefined {
  if (TypeGuards.isQuotedToken(token)) return { is: token.content }
  if (TypeGuards.isNumberToken(token)) return { is: token.content }
  if (!TypeGuards.isLiteralToken(token)) return undefined
  if (emptyWords.has(token.literal)) return token.literal === 'blank' ? 'nothing' : undefined
  const value = literalValue(token)
  return typeof value === 'object' ? { is: null } : { is: value }
}

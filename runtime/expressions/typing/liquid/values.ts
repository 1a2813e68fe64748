import {
  type Expression,
  type Filter,
  type FilteredValueToken,
  type PropertyAccessToken,
  type Token,
  TypeGuards,
  type Value,
  type ValueToken,
} from 'liquidjs'
import type { DocumentPath, Misspelling } from '../../../yaml/index.ts'
import type { FilterSignature } from '../../filters/index.ts'
import { literalValue, mayNameMissing, type Node, treeOf, writtenKey } from '../../liquid/index.ts'
import {
  absent,
  any,
  boolean,
  type Environment,
  impossible,
  integer,
  isAny,
  isNever,
  listOf,
  type Member,
  memberOf,
  moreAbsent,
  nullable,
  nullType,
  optional,
  present,
  show,
  type Type,
  typeOfValue,
  union,
  unionOf,
  withFacts,
} from '../model/index.ts'
import type { Problem, ProblemCode } from '../problem.ts'
import { called } from './called.ts'
import { constantOf } from './constants.ts'
import { factsOf } from './facts.ts'
import { checkFilter } from './filter.ts'

/** What a missing value becomes: null (with `| default:` and in `{% if %}`), or still missing. */
export type Missing = 'null' | 'missing'

/** What `| default:` puts in place of a value. */
export interface Fallback {
  readonly type: Type
  /** The offset of the argument. */
  readonly offset: number
}

/** Reads the types of the expressions in one string, and collects their problems. */
export class Values {
  readonly problems: Problem[] = []
  /** The environment at the current place in the string. */
  environment: Environment
  /** True while a part is read only for its types, and problems are not collected. */
  muted = false
  /** The default of the last value, if that value ends with one and may need it. */
  fallback: Fallback | null = null
  /** The environment of the whole expression, while one is read. */
  #around: Environment | null = null
  readonly #signatures: ReadonlyMap<string, FilterSignature>
  readonly #at: DocumentPath

  constructor(environment: Environment, signatures: ReadonlyMap<string, FilterSignature>, at: DocumentPath) {
    this.environment = environment
    this.#signatures = signatures
    this.#at = at
  }

  tell(code: ProblemCode, token: Token | number, message: string, misspelt?: Misspelling): void {
    if (this.muted) return
    const offset = typeof token === 'number' ? token : token.begin + (TypeGuards.isQuotedToken(token) ? 1 : 0)
    this.problems.push({ code, message, at: this.#at, offset, ...(misspelt && { misspelt }) })
  }

  /**
   * Reports a value that may be missing.
   * @param where what happens then, for the message
   * @param example how to give it a default there
   */
  mustBeThere(type: Type, name: string, start: Token | number, where = 'inside text that is an error', example = `${name} | default: …`): void {
    if (type.absence === 'no') return
    // Even if its schema does not say that it is optional: nothing that it could be is left.
    if (isNever(type)) return this.tell('value_missing', start, `\`${name}\` is always missing, and ${where}`)
    if (type.absence !== 'maybe') return
    const ending = name.includes('|') ? '' : ` (\`${example}\`)`
    this.tell(
      'value_may_be_missing',
      start,
      `\`${name}\`${isAny(type) ? '' : ` (${show(type)})`} may be missing, and ${where}; give it a default${ending}`,
    )
  }

  /** @param whole whether the value is the whole string. A missing value is then left out, and the caller checks whether that is allowed */
  value({ initial, filters }: Value, missing: Missing, whole: boolean): Type {
    const lenient = missing === 'null' || filters[0]?.name === 'default'
    const first = this.#expression(initial, lenient ? 'null' : 'missing')
    this.fallback = null
    if (filters.length === 0) return first
    const late = filters.findIndex(({ name }) => name === 'default')
    if (!lenient && first.absence === 'maybe') {
      const name = textOf(initial)
      if (late > 0) {
        this.tell(
          'default_comes_late',
          placeOf(filters[late]) ?? initial.postfix[0]?.begin ?? 0,
          `\`${name}\` may be missing, and only a \`default\` that comes first replaces it: \`${name} | default: …\``,
        )
      } else if (!whole) this.mustBeThere(first, name, initial.postfix[0] ?? 0)
    }
    let type = present(first)
    let name = textOf(initial)
    for (const [at, filter] of filters.entries()) {
      type = this.#filter(filter, type.absence === 'no' ? type : nullable(present(type)), name, mayNameMissing(filters, at) ? 'null' : 'missing')
      name = `${name} | ${filter.name}`
    }
    // The whole is missing if the value itself is missing, or if a filter finds nothing.
    return whole && !lenient ? optional(type, first.absence) : type
  }

  /** @param replacement what a missing first argument becomes */
  #filter(filter: Filter, input: Type, name: string, replacement: Missing): Type {
    const args: Type[] = []
    const named = new Map<string, Type>()
    for (const [index, argument] of filter.args.entries()) {
      const [key = null, token] = Array.isArray(argument) ? argument : [null, argument]
      const type = token === undefined ? boolean : this.token(token, index === 0 && key === null ? replacement : 'missing')
      if (token !== undefined) {
        // An argument takes no filters of its own.
        const example = `{% assign value = ${token.getText()} | default: … %}`
        this.mustBeThere(type, token.getText(), token, `\`${filter.name}\` fails then`, example)
      }
      if (key === null) args.push(present(type))
      else named.set(key, type)
    }
    const signature = this.#signatures.get(filter.name)
    if (signature === undefined) return any
    const start = placeOf(filter) ?? 0
    const [argument] = filter.args
    const [fallback] = args
    const replaces = filter.name === 'default' && input.null && fallback !== undefined && argument !== undefined && !Array.isArray(argument)
    this.fallback = replaces ? { type: fallback, offset: argument.begin } : null
    return checkFilter({ filter, start, signature, input, args, named, name }, this)
  }

  #expression(expression: Expression, missing: Missing): Type {
    const tree = treeOf(expression.postfix)
    this.#around = this.environment
    const type = tree === null ? any : this.#node(tree, missing)
    this.#around = null
    return type
  }

  #node(node: Node, missing: Missing): Type {
    if (!('operator' in node)) return this.token(node.token, missing)
    const types: Type[] = []
    const outer = this.environment
    const literal =
      node.operator === 'or' ? node.operands.find((operand) => !('operator' in operand) && TypeGuards.isQuotedToken(operand.token)) : undefined
    if (literal !== undefined && !('operator' in literal))
      this.tell(
        'logic_pitfall',
        literal.token,
        `\`or\` gives true or false, not one of its values; for a replacement value: \`| default: ${literal.token.getText()}\``,
      )
    for (const [index, operand] of node.operands.entries()) {
      const type = this.#node(operand, missing)
      if (missing === 'missing' && !('operator' in operand))
        this.mustBeThere(type, operand.token.getText(), operand.token, `\`${node.operator}\` fails then`)
      types.push(present(type))
      // The second operand matters only if the first one does not decide.
      if (index === 0 && (node.operator === 'and' || node.operator === 'or'))
        this.environment = withFacts(outer, factsOf(operand, node.operator === 'and'))
    }
    this.environment = outer
    this.#compare(node, types)
    return boolean
  }

  #compare(node: Extract<Node, { operator: string }>, [left = any, right = any]: readonly Type[]): void {
    const { operator, operands, token } = node
    const constant = constantOf(node)
    if (constant !== null) return this.tell('comparison_constant', token, `this is ${constant.holds ? 'always' : 'never'} true: ${constant.why}`)
    const [a, b] = operands
    if ((operator !== '==' && operator !== '!=') || a === undefined || b === undefined) return
    if ([a, b].some((one) => !('operator' in one) && TypeGuards.isLiteralToken(one.token) && typeof one.token.content === 'object')) return
    const wrong = impossible(left, right)
    if (wrong === null) return
    const written = [b, a].find((one) => !('operator' in one) && TypeGuards.isQuotedToken(one.token))
    const place = written !== undefined && !('operator' in written) ? written.token : token
    this.tell(
      wrong.kinds ? 'comparison_constant' : 'value_never_equal',
      place,
      `this is ${operator === '==' ? 'never' : 'always'} true: ${wrong.message}`,
      wrong.misspelt,
    )
  }

  token(token: ValueToken | FilteredValueToken, missing: Missing): Type {
    if (TypeGuards.isPropertyAccessToken(token)) {
      const type = this.#read(token as PropertyAccessToken)
      return missing === 'null' && type.absence !== 'no' ? nullable(present(type)) : type
    }
    if (TypeGuards.isRangeToken(token)) {
      for (const end of [token.lhs, token.rhs]) this.#always(end)
      return listOf(integer)
    }
    if (TypeGuards.isQuotedToken(token) || TypeGuards.isNumberToken(token)) return typeOfValue(token.content)
    if (TypeGuards.isLiteralToken(token)) return typeOfValue(literalValue(token))
    return any
  }

  #read({ variable, props }: PropertyAccessToken): Type {
    const [root, ...keys] = props
    const rooted = variable === undefined && root !== undefined ? writtenKey(root) : null
    let type = rooted === null ? (variable === undefined ? any : this.token(variable, 'missing')) : this.environment.root(rooted)
    let base = rooted ?? (variable === undefined ? '' : variable.getText())
    for (const token of rooted === null && variable !== undefined ? props : keys) {
      const key = writtenKey(token)
      const member = key === null ? this.#computed(type, token as ValueToken) : memberOf(type, key, 'template', base)
      if (member.fault !== null && key !== null) this.tell(member.fault.code, token, member.fault.message, member.fault.misspelt)
      type = { ...member.type, absence: moreAbsent(type.absence, member.type.absence) }
      base = called(base, key ?? '…')
    }
    return type
  }

  /** Checks what is read in brackets or as the end of a range. Liquid reads it even if an `and` or `or` is already decided. */
  #always(token: ValueToken): void {
    const outer = this.environment
    this.environment = this.#around ?? outer
    const type = this.token(token, 'missing')
    this.environment = outer
    this.mustBeThere(type, token.getText(), token, 'then the template fails, or its value is missing')
  }

  /** The member whose name is the value of another expression. */
  #computed(type: Type, token: ValueToken): Member {
    this.#always(token)
    const members = [...(type.object?.fields.values() ?? []), ...(type.list === null ? [] : [type.list.items])]
    const found = isAny(type) || type.object?.others !== 'closed' ? any : unionOf(members)
    return { type: isNever(type) ? absent : type.null ? union(nullType, optional(found, 'unsaid')) : optional(found, 'unsaid'), fault: null }
  }
}

/** Returns the offset of a filter. Its token is not part of Liquid's public types. */
function placeOf(filter: Filter | undefined): number | null {
  const token = (filter as unknown as { readonly token?: Token } | undefined)?.token
  return token === undefined ? null : token.begin
}

function textOf({ postfix }: Expression): string {
  const begins = postfix.map(({ begin }) => begin)
  const [first] = postfix
  return first === undefined ? '' : first.input.slice(Math.min(...begins), Math.max(...postfix.map(({ end }) => end)))
}

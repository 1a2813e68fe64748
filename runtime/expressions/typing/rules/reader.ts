import type { Json } from '../../../domain/index.ts'
import type { DocumentPath, Misspelling } from '../../../yaml/index.ts'
import {
  any,
  boolean,
  describe,
  type Environment,
  falsy,
  isAny,
  isNever,
  list,
  listOf,
  memberOf,
  moreAbsent,
  objectOf,
  present,
  show,
  showKinds,
  step,
  type Type,
  text,
  truthy,
  typeOfValue,
  union,
  unionOf,
  withFacts,
  without,
  withRoots,
} from '../model/index.ts'
import { type Argument, operatorTypes } from '../operators/index.ts'
import type { Problem, ProblemCode } from '../problem.ts'
import { factsOfRule, operation, readOf } from './facts.ts'
import { pitfallOfAge, pitfallOfOr, pitfallOfTruth } from './pitfalls.ts'

/** What `var` reads from: the roots, or the item of a loop. */
interface Scope {
  readonly environment: Environment
  readonly item: Type | null
}

type At = DocumentPath

/** Reads the types of one rule, and notes what is wrong with it. */
export class RuleReader {
  readonly problems: Problem[] = []

  tell(code: ProblemCode, at: At, message: string, misspelt?: Misspelling, offset = 0): void {
    this.problems.push({ code, message, at, offset, ...(misspelt && { misspelt }) })
  }

  read(rule: Json, at: At, scope: Scope): Type {
    step()
    if (Array.isArray(rule)) {
      const items = (rule as readonly Json[]).map((item, index) => this.read(item, [...at, index], scope))
      return { ...typeOfValue([]), list: { items: unionOf(items), least: items.length } }
    }
    const found = operation(rule)
    if (found === null) return typeOfValue(rule)
    const { name, args, listed } = found
    const inside = [...at, name]
    const place = (index: number): At => (listed ? [...inside, index] : inside)
    switch (name) {
      case 'var':
        return this.#var(rule, place, scope)
      case 'missing':
        return this.#missing(Array.isArray(args[0]) ? (args[0] as readonly Json[]) : args, place(0), Array.isArray(args[0]) ? null : place, scope)
      case 'missing_some':
        return this.#missing(Array.isArray(args[1]) ? (args[1] as readonly Json[]) : [], place(1), null, scope)
      case 'and':
      case 'or':
        return this.#junction(name, args, place, scope)
      case 'if':
      case '?:':
        return this.#choice(args, place, scope)
      case '!':
      case '!!':
        return this.#truth(name, args[0] ?? null, place(0), scope)
      case 'filter':
      case 'map':
      case 'all':
      case 'some':
      case 'none':
        return this.#loop(name, args, place, scope)
      case 'reduce':
        return this.#reduce(args, place, scope)
      default:
        return this.#operator(name, args, inside, place, scope)
    }
  }

  #operator(name: string, args: readonly Json[], at: At, place: (index: number) => At, scope: Scope): Type {
    const typed = args.map((written, index): Argument => ({ written, at: place(index), type: this.read(written, place(index), scope) }))
    const operator = Object.hasOwn(operatorTypes, name) ? operatorTypes[name] : undefined
    if (operator === undefined) return any
    pitfallOfAge(name, typed, this)
    return operator({ name, at, args: typed, tell: (...told) => this.tell(...told) })
  }

  #var(rule: Json, place: (index: number) => At, scope: Scope): Type {
    const read = readOf(rule)
    if (read === null) return any
    const type = this.#path(read.path, place(0), scope)
    if (read.fallback === undefined) {
      if (type.absence === 'maybe') {
        const name = read.path.join('.')
        if (isNever(type)) this.tell('value_missing', place(0), `\`${name}\` is never there, which is an error without a default`)
        else {
          const known = isAny(type) ? '' : ` (${show(type)})`
          this.tell(
            'value_may_be_missing',
            place(0),
            `\`${name}\`${known} may be missing, which is an error; give it a default: {"var": ["${name}", null]}`,
          )
        }
      }
      return isNever(type) ? any : present(type)
    }
    const fallback = this.read(read.fallback, place(1), scope)
    this.#checkDefault(type, fallback, read.path, place(1))
    return type.absence === 'no' ? type : isNever(type) ? fallback : union(present(type), fallback)
  }

  /** A default of another kind than the value makes the comparison fail where the value is missing. */
  #checkDefault(type: Type, fallback: Type, path: readonly string[], at: At): void {
    const value = without(type, 'null')
    const other = without(fallback, 'null')
    if (isAny(type) || isNever(value) || isNever(other) || isAny(fallback)) return
    const shared = (['boolean', 'number', 'text', 'list', 'object'] as const).some((kind) => {
      const [a, b] = [value[kind], other[kind]]
      return Array.isArray(a) && Array.isArray(b) ? a.length > 0 && b.length > 0 : !Array.isArray(a) && a !== null && b !== null
    })
    if (shared) return
    this.tell(
      'logic_pitfall',
      at,
      `the default is ${showKinds(other)}, and \`${path.join('.')}\` ${showKinds(value)}: what compares the one fails with the other`,
    )
  }

  #path(path: readonly string[], at: At, { environment, item }: Scope): Type {
    if (path.length === 0) return item ?? any
    const [root = '', ...keys] = path
    if (item !== null) {
      const { fault } = memberOf(item, root, 'condition', 'the item')
      if (fault !== null) {
        this.tell(fault.code, at, `${fault.message} (inside a loop \`var\` reads from the item)`, fault.misspelt)
        return any
      }
    }
    let type = environment.root(root)
    let base = root
    for (const key of keys) {
      const member = memberOf(type, key, 'condition', base)
      if (member.fault !== null) this.tell(member.fault.code, at, member.fault.message, member.fault.misspelt, base.length + 1)
      type = { ...member.type, absence: moreAbsent(type.absence, member.type.absence) }
      base = `${base}.${key}`
    }
    return type
  }

  #missing(paths: readonly Json[], at: At, each: ((index: number) => At) | null, scope: Scope): Type {
    for (const [index, path] of paths.entries()) if (typeof path === 'string') this.#path(path.split('.'), each?.(index) ?? [...at, index], scope)
    return listOf(text)
  }

  /** Gives the first argument that decides it, or the last. */
  #junction(name: 'and' | 'or', args: readonly Json[], place: (index: number) => At, scope: Scope): Type {
    const results: Type[] = []
    let inner = scope
    for (const [index, arg] of args.entries()) {
      const type = this.read(arg, place(index), inner)
      const last = index === args.length - 1
      if (!last || name === 'and') pitfallOfOr(arg, place(index), this)
      if (name === 'and' && typeof arg === 'string')
        this.tell(
          'logic_pitfall',
          place(index),
          'this is a text, and no condition: it always counts as true; a comparison is {"==": [{"var": …}, …]}',
        )
      const ending = name === 'or' ? truthy(type) : falsy(type)
      const going = name === 'or' ? falsy(type) : truthy(type)
      if (!last && isNever(going) && !isNever(type) && operation(arg) === null && typeof arg !== 'boolean') {
        this.tell(
          'logic_pitfall',
          place(index),
          `\`${name}\` ends here, as ${describe(type)} always counts as ${name === 'or' ? 'true' : 'false'}; to compare with several values, use \`in\` with a list`,
        )
      }
      results.push(last ? type : ending)
      inner = {
        ...inner,
        environment: withFacts(inner.environment, factsOfRule(arg, name === 'and')),
      }
    }
    return present(unionOf(results))
  }

  #choice(args: readonly Json[], place: (index: number) => At, scope: Scope): Type {
    const results: Type[] = []
    let inner = scope
    for (let index = 0; index < args.length; index += 2) {
      const test = args[index] ?? null
      const value = args[index + 1]
      const type = this.read(test, place(index), inner)
      if (value === undefined) {
        results.push(type)
        break
      }
      pitfallOfOr(test, place(index), this)
      results.push(this.read(value, place(index + 1), { ...inner, environment: withFacts(inner.environment, factsOfRule(test, true)) }))
      inner = { ...inner, environment: withFacts(inner.environment, factsOfRule(test, false)) }
      if (index + 2 >= args.length) results.push(typeOfValue(null))
    }
    return unionOf(results)
  }

  #truth(name: '!' | '!!', arg: Json, at: At, scope: Scope): Type {
    const type = this.read(arg, at, scope)
    pitfallOfTruth(name, arg, type, at, this)
    pitfallOfOr(arg, at, this)
    if (isNever(type)) return boolean
    const may = [...(isNever(truthy(type)) ? [] : [name === '!!']), ...(isNever(falsy(type)) ? [] : [name === '!'])]
    return { ...boolean, boolean: may }
  }

  #itemsOf(arg: Json, at: At, scope: Scope, name: string): Type {
    const type = this.read(arg, at, scope)
    if (isAny(type)) return any
    if (type.list === null) {
      if (!isNever(type)) this.tell('operand_type', at, `\`${name}\` needs a list, not ${describe(without(type, 'null'))}`)
      return any
    }
    if (type.null) this.tell('value_may_be_null', at, `the list (${show(type)}) may be null, and \`${name}\` needs a list: {"or": [{"var": …}, []]}`)
    return isNever(type.list.items) ? any : type.list.items
  }

  #loop(name: string, args: readonly Json[], place: (index: number) => At, scope: Scope): Type {
    const item = this.#itemsOf(args[0] ?? null, place(0), scope, name)
    const test = args[1] ?? null
    const result = this.read(test, place(1), inLoop(item))
    if (name === 'map') return listOf(result)
    if (name !== 'filter') return boolean
    const kept = withFacts(inLoop(item).environment, factsOfRule(test, true))
    return listOf(isAny(item) || item.object === null ? item : narrowedItem(item, kept))
  }

  #reduce(args: readonly Json[], place: (index: number) => At, scope: Scope): Type {
    const item = this.#itemsOf(args[0] ?? null, place(0), scope, 'reduce')
    const start = this.read(args[2] ?? null, place(2), scope)
    // What a round gives is the accumulator of the next: its kinds, not its first value.
    const accumulator = widened(start)
    const result = this.read(args[1] ?? null, place(1), inLoop(objectOf({ current: item, accumulator })))
    return union(start, result)
  }
}

function inLoop(item: Type): Scope {
  return { item, environment: { root: (name) => memberOf(item, name, 'condition', 'the item').type } }
}

function narrowedItem(item: Type, environment: Environment): Type {
  const { object } = item
  if (object === null) return item
  return { ...item, object: { ...object, fields: new Map([...object.fields.keys()].map((name) => [name, environment.root(name)])) } }
}

/** Of any value of its kinds. */
function widened(type: Type): Type {
  return {
    ...type,
    boolean: type.boolean.length > 0 ? boolean.boolean : [],
    number: type.number === null ? null : { ...type.number, integer: false, values: null },
    text: type.text === null ? null : text.text,
    list: type.list === null ? null : list.list,
    object: type.object === null ? null : any.object,
  }
}

/** The scope of a rule outside every loop. */
export function outermost(environment: Environment): Scope {
  return { environment: withRoots(environment, {}), item: null }
}

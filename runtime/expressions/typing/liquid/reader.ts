import { AssignTag, CaptureTag, CaseTag, EchoTag, ForTag, IfTag, Output, type Template, UnlessTag, type Value, type ValueToken } from 'liquidjs'
import { treeOf } from '../../liquid/index.ts'
import {
  any,
  boolean,
  describe,
  type Fact,
  impossible,
  integer,
  isAny,
  isNever,
  listOf,
  objectOf,
  present,
  type Type,
  text,
  unionOf,
  withFacts,
  without,
  withRoots,
} from '../model/index.ts'
import { factsOf } from './facts.ts'
import type { Fallback, Values } from './values.ts'

interface Branch {
  readonly templates: readonly Template[]
  readonly facts: readonly Fact[]
}

/** Reads the outputs and tags of one string in order. */
export class Reader {
  readonly #values: Values
  /** The names that `assign` and `capture` have set in the current branch. */
  #assigned: string[] = []

  constructor(values: Values) {
    this.#values = values
  }

  /** The type of a string that is a single output, which keeps its type. */
  whole(output: Output): Type {
    const type = this.#values.value(output.value, 'missing', true)
    if (type.absence !== 'no' && isNever(type)) this.#values.tell('value_missing', startOf(output), `\`${written(output)}\` is never there`)
    return type
  }

  /** The default that the single output ends with. Null: it ends with none, or never needs it. */
  get fallback(): Fallback | null {
    return this.#values.fallback
  }

  /** Checks outputs and tags that make text. */
  inText(templates: readonly Template[]): void {
    for (const template of templates) this.#template(template)
  }

  #template(template: Template): void {
    if (template instanceof Output) return this.#inserted(template.value, written(template), startOf(template))
    if (template instanceof EchoTag) {
      const { value } = template as unknown as { readonly value?: Value }
      return value === undefined ? undefined : this.#inserted(value, 'the value', template.token.begin)
    }
    if (template instanceof AssignTag) {
      const { key, value } = template as unknown as { readonly key: string; readonly value: Value }
      return this.#assign(key, this.#values.value(value, 'null', false))
    }
    if (template instanceof CaptureTag) {
      this.inText(template.templates)
      return this.#assign(template.variable, text)
    }
    if (template instanceof IfTag) return this.#if(template, true)
    if (template instanceof UnlessTag) return this.#if(template, false)
    if (template instanceof CaseTag) return this.#case(template)
    if (template instanceof ForTag) return this.#for(template)
  }

  #inserted(value: Value, name: string, start: number): void {
    this.#values.mustBeThere(this.#values.value(value, 'missing', false), name, start)
  }

  #assign(name: string, type: Type): void {
    this.#assigned.push(name)
    this.#values.environment = withRoots(this.#values.environment, { [name]: type })
  }

  #if(tag: IfTag | UnlessTag, holds: boolean): void {
    const branches: Branch[] = []
    let before: Fact[] = []
    for (const [index, { value, templates }] of tag.branches.entries()) {
      const outer = this.#values.environment
      this.#values.environment = withFacts(outer, before)
      this.#values.value(value, 'null', false)
      this.#values.environment = outer
      const tree = value.filters.length === 0 ? treeOf(value.initial.postfix) : null
      const wanted = index === 0 ? holds : true
      branches.push({ templates, facts: [...before, ...(tree === null ? [] : factsOf(tree, wanted))] })
      before = [...before, ...(tree === null ? [] : factsOf(tree, !wanted))]
    }
    this.#branches([...branches, { templates: tag.elseTemplates ?? [], facts: before }])
  }

  #case(tag: CaseTag): void {
    const type = this.#values.value(tag.value, 'null', false)
    for (const { values } of tag.branches) {
      for (const token of values) {
        const other = this.#values.token(token, 'null')
        const wrong = impossible(type, other)
        if (wrong !== null)
          this.#values.tell(wrong.kinds ? 'comparison_constant' : 'value_never_equal', token, `this is never true: ${wrong.message}`, wrong.misspelt)
      }
    }
    const target = tag.value.filters.length === 0 ? treeOf(tag.value.initial.postfix) : null
    const facts = (token: ValueToken, holds: boolean): readonly Fact[] =>
      target === null ? [] : factsOf({ operator: '==', operands: [target, { token }], token }, holds)
    // A branch with several values is taken for any of them.
    const branches = tag.branches.map(({ templates, values: [only, ...more] }) => ({
      templates,
      facts: only === undefined || more.length > 0 ? [] : facts(only, true),
    }))
    const none = tag.branches.flatMap(({ values }) => values.flatMap((token) => facts(token, false)))
    this.#branches([...branches, { templates: tag.elseTemplates, facts: none }])
  }

  /** Reads each branch from the same environment. Afterwards, a variable has the type that any of the branches gave it. */
  #branches(branches: readonly Branch[]): void {
    const outer = this.#values.environment
    const before = this.#assigned
    this.#assigned = []
    const ends = branches.map(({ templates, facts }) => {
      this.#values.environment = withFacts(outer, facts)
      this.inText(templates)
      return this.#values.environment
    })
    const names = new Set(this.#assigned)
    this.#values.environment = withRoots(outer, Object.fromEntries([...names].map((name) => [name, unionOf(ends.map((end) => end.root(name)))])))
    this.#assigned = [...before, ...names]
  }

  #for(tag: ForTag): void {
    const collection = this.#values.token(tag.collection, 'missing')
    this.#values.mustBeThere(collection, tag.collection.getText(), tag.collection, 'a loop over it is an error then')
    const item = this.#itemOf(present(collection), tag)
    for (const argument of Object.values(tag.hash.hash)) if (typeof argument === 'object') this.#values.token(argument as ValueToken, 'missing')
    const forloop = objectOf({
      first: boolean,
      last: boolean,
      index: integer,
      index0: integer,
      rindex: integer,
      rindex0: integer,
      length: integer,
      name: text,
    })
    const body: Branch = { templates: tag.templates, facts: [] }
    const outer = this.#values.environment
    const hidden = { [tag.variable]: outer.root(tag.variable), forloop: outer.root('forloop') }
    const round = (): void => {
      this.#values.environment = withRoots(this.#values.environment, { [tag.variable]: item, forloop })
      this.#branches([body, { templates: [], facts: [] }])
      this.#values.environment = withRoots(this.#values.environment, hidden)
    }
    // The first round only finds out what the body assigns, because later iterations see it.
    const muted = this.#values.muted
    this.#values.muted = true
    round()
    this.#values.muted = muted
    round()
    this.#branches([body, { templates: tag.elseTemplates ?? [], facts: [] }].slice(1))
  }

  #itemOf(type: Type, tag: ForTag): Type {
    if (isAny(type)) return any
    const parts: Type[] = []
    if (type.list !== null) parts.push(type.list.items)
    if (type.object !== null) parts.push(listOf(any, 2))
    if (type.text !== null) parts.push(text)
    if (parts.length === 0 && !isNever(without(type, 'null')))
      this.#values.tell('not_a_list', tag.collection, `a loop needs a list, and \`${tag.collection.getText()}\` is ${describe(type)}`)
    const item = unionOf(parts)
    // The body of a loop over an empty list is never rendered.
    return isNever(item) ? any : item
  }
}

function startOf({ value, token }: Output): number {
  const begins = value.initial.postfix.map(({ begin }) => begin)
  return begins.length === 0 ? token.begin : Math.min(...begins)
}

function written({ token }: Output): string {
  return token.getText().replace(/^\{\{-?\s*|\s*-?\}\}$/g, '')
}

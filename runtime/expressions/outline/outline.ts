import {
  AssignTag,
  BreakTag,
  CaptureTag,
  CaseTag,
  ContinueTag,
  EchoTag,
  ForTag,
  IfTag,
  Output,
  type Template,
  type Token,
  UnlessTag,
  type Value,
} from 'liquidjs'
import type { Filters } from '../filters/index.ts'
import { treeOf } from '../liquid/index.ts'
import { parsedTemplate } from '../template/index.ts'
import { anyOf, equals, not, opaque, type Test, testOf } from './as-condition.ts'
import { type PathRead, readsOfToken, readsOfValue } from './reads.ts'

/** A read of a root, such as `steps`. Reads of the template's own names are left out. */
export interface OutlineRead extends PathRead {
  readonly kind: 'read'
  /** Whether the template sets a name like this root somewhere, so that the compiler takes it for the template's own. */
  readonly hidden: boolean
}

/** A part of a template. `ends`: nothing after it is rendered, up to the end of the loop around it or of the whole template. */
export type OutlinePart = OutlineRead | Choice | Loop | { readonly kind: 'ends' }

/** The branches of an `if`, `unless` or `case`, in order. */
export interface Choice {
  readonly kind: 'choice'
  readonly branches: readonly Branch[]
  /** What is rendered if no branch is. */
  readonly otherwise: readonly OutlinePart[]
  /** Whether later branches are tested after one was taken. In a `case` they are. */
  readonly several: boolean
}

interface Branch {
  /** What its test reads. */
  readonly reads: readonly OutlineRead[]
  readonly test: Test
  readonly body: readonly OutlinePart[]
}

/** What may be rendered any number of times. */
interface Loop {
  readonly kind: 'loop'
  readonly body: readonly OutlinePart[]
  readonly otherwise: readonly OutlinePart[]
}

/** Outlines by syntax tree. The same string may be at many places. */
const kept = new WeakMap<readonly Template[], readonly OutlinePart[]>()

/** Returns what a string with templates does. Null if it does not parse, because its compilation reports that. */
export function outlineOf(source: string, filters: Filters): readonly OutlinePart[] | null {
  const templates = parsedTemplate(source, filters)
  if (templates === null) return null
  const known = kept.get(templates) ?? new Outliner(new Set(namesSetIn(templates))).parts(templates)
  kept.set(templates, known)
  return known
}

/** Yields the names that a template sets anywhere. They may hide a root, such as `steps`. */
function* namesSetIn(templates: readonly Template[]): Generator<string> {
  for (const template of templates) {
    if (template instanceof AssignTag) yield (template as unknown as { readonly key: string }).key
    if (template instanceof CaptureTag) yield template.variable
    if (template instanceof ForTag) yield* [template.variable, 'forloop']
    for (const list of listsIn(template)) yield* namesSetIn(list)
  }
}

/** Returns the lists of parts inside a tag. */
function listsIn(tag: Template): readonly (readonly Template[])[] {
  if (tag instanceof CaptureTag) return [tag.templates]
  if (tag instanceof ForTag) return [tag.templates, tag.elseTemplates ?? []]
  if (tag instanceof IfTag || tag instanceof UnlessTag || tag instanceof CaseTag)
    return [...tag.branches.map(({ templates }) => templates), tag.elseTemplates ?? []]
  return []
}

class Outliner {
  /** The names that the template sets anywhere. A test of such a name says nothing about the root that it may hide. */
  readonly #hiding: ReadonlySet<string>
  /** Those that are certainly set at the current place. */
  #own: ReadonlySet<string> = new Set()

  constructor(hiding: ReadonlySet<string>) {
    this.#hiding = hiding
  }

  parts(templates: readonly Template[]): readonly OutlinePart[] {
    return templates.flatMap((template) => this.#part(template))
  }

  #part(template: Template): readonly OutlinePart[] {
    if (template instanceof Output) return this.#reads(readsOfValue(template.value, 'error'))
    if (template instanceof EchoTag) {
      const { value } = template as unknown as { readonly value?: Value }
      return value === undefined ? [] : this.#reads(readsOfValue(value, 'error'))
    }
    if (template instanceof AssignTag) {
      const { key, value } = template as unknown as { readonly key: string; readonly value: Value }
      // Liquid assigns null for a missing value. That is rarely meant, so it counts as an error here.
      const reads = this.#reads(readsOfValue(value, 'error'))
      this.#own = new Set([...this.#own, key])
      return reads
    }
    if (template instanceof CaptureTag) {
      const inside = this.parts(template.templates)
      this.#own = new Set([...this.#own, template.variable])
      return inside
    }
    if (template instanceof IfTag) return [this.#choice(template, true)]
    if (template instanceof UnlessTag) return [this.#choice(template, false)]
    if (template instanceof CaseTag) return this.#case(template)
    if (template instanceof ForTag) return this.#loop(template)
    return template instanceof BreakTag || template instanceof ContinueTag ? [{ kind: 'ends' }] : []
  }

  /** Leaves out what reads the template's own names. */
  #reads(found: Iterable<PathRead>): readonly OutlineRead[] {
    const roots = [...found].filter(({ path: [root = ''] }) => !this.#own.has(root))
    return roots.map((read) => ({ kind: 'read', ...read, hidden: this.#hiding.has(read.path[0] ?? '') }))
  }

  /** @param holds whether the first branch is taken if its test is true. Those of `elsif` always are */
  #choice({ branches, elseTemplates }: IfTag | UnlessTag, holds: boolean): Choice {
    const tests = branches.map(({ value }, index) => {
      const test = this.#testOf(value)
      return { reads: this.#reads(readsOfValue(value, 'null')), test: index > 0 || holds ? test : not(test) }
    })
    return this.#branched(tests, branches, elseTemplates, false)
  }

  #case({ value, branches, elseTemplates }: CaseTag): readonly OutlinePart[] {
    const target = value.filters.length === 0 ? treeOf(value.initial.postfix) : null
    const tests = branches.map(({ values }) => ({
      reads: this.#reads(values.flatMap((token) => [...readsOfToken(token, 'null')])),
      test: anyOf(values.map((token) => (target === null ? opaque(token.begin) : equals(target, { token }, this.#hiding)))),
    }))
    return [...this.#reads(readsOfValue(value, 'null')), this.#branched(tests, branches, elseTemplates, true)]
  }

  #branched(
    tests: readonly Omit<Branch, 'body'>[],
    branches: readonly { readonly templates: readonly Template[] }[],
    otherwise: readonly Template[] | undefined,
    several: boolean,
  ): Choice {
    const before = this.#own
    const ends: ReadonlySet<string>[] = []
    const inside = (templates: readonly Template[]): readonly OutlinePart[] => {
      this.#own = before
      const parts = this.parts(templates)
      ends.push(this.#own)
      return parts
    }
    const bodies = branches.map(({ templates }) => inside(templates))
    const rest = inside(otherwise ?? [])
    // Afterwards, a name is certainly set if each branch has set it.
    this.#own = new Set([...this.#own].filter((name) => ends.every((end) => end.has(name))))
    return { kind: 'choice', branches: tests.map((test, index) => ({ ...test, body: bodies[index] ?? [] })), otherwise: rest, several }
  }

  #loop({ collection, hash, templates, elseTemplates, variable }: ForTag): readonly OutlinePart[] {
    const given = Object.values(hash.hash).filter((argument) => typeof argument === 'object')
    const tokens: readonly Token[] = [collection, ...(given as readonly Token[])]
    const reads = this.#reads(tokens.flatMap((token) => [...readsOfToken(token, 'error')]))
    const before = this.#own
    this.#own = new Set([...before, variable, 'forloop'])
    const body = this.parts(templates)
    // The body may never be rendered.
    this.#own = before
    const otherwise = this.parts(elseTemplates ?? [])
    this.#own = before
    return [...reads, { kind: 'loop', body, otherwise }]
  }

  #testOf({ initial, filters }: Value): Test {
    const tree = filters.length === 0 ? treeOf(initial.postfix) : null
    return tree === null ? opaque(initial.postfix[0]?.begin ?? 0) : testOf(tree, this.#hiding)
  }
}

import { isObject, type Json } from '../../domain/index.ts'
import { type Path, partsOf, type TemplateOutput } from '../../expressions/index.ts'
import { calledBy, outlineOf, type StepNode, stringsIn, withNested } from './document/index.ts'
import type { Subject } from './rule.ts'

/** The source of untrusted text: the alert, or the answer of a system. */
export type Origin = 'alert' | 'answer'

/** Formats without characters that are special in any query language or in URLs. */
const plainFormats: ReadonlySet<string> = new Set(['ip', 'ipv4', 'ipv6', 'uuid', 'date', 'date-time'])
/** Filters whose result is a number, a time or an encoded text. */
const cleaning: ReadonlySet<string> = new Set([
  ...['size', 'plus', 'minus', 'times', 'divided_by', 'modulo', 'abs', 'ceil', 'floor', 'round', 'at_least', 'at_most'],
  ...['url_encode', 'cgi_escape', 'uri_escape', 'base64_encode', 'date'],
])
const alertTexts: ReadonlySet<string> = new Set(['content', 'alert_content', 'alert_name', 'alert_id', 'created_by'])

/** Tells which paths and templates contain untrusted text: text that somebody else wrote. */
export class Taint {
  readonly #subject: Subject
  readonly #nodes: readonly StepNode[]
  readonly #asked = new Map<string, Origin | null>()

  constructor(subject: Subject) {
    this.#subject = subject
    this.#nodes = [...withNested(outlineOf(subject.root['steps'], ['steps']))]
  }

  /** Returns the source of the text in one `{{ … }}`. Null if it is not untrusted, or if a filter makes it harmless everywhere. */
  ofOutput({ shown, filters }: TemplateOutput): Origin | null {
    if (filters.some((name) => cleaning.has(name))) return null
    return first(shown.map((path) => this.ofPath(path)))
  }

  ofPath(path: Path): Origin | null {
    const [root = '', name = ''] = path
    switch (root) {
      case 'alert':
        return name === '' || alertTexts.has(name) ? 'alert' : null
      case 'inputs': {
        const { inputs } = this.#subject.root
        return isText(isObject(inputs) ? inputs[name] : undefined, path.slice(2)) ? 'alert' : null
      }
      case 'vars':
        return this.#once(`vars.${name}`, () => this.#ofVar(name))
      case 'steps':
        return this.#ofStep(name, path)
      case 'case':
      case 'organization':
      case 'connections':
      case 'run':
        return null
      default:
        return this.#once(`item ${root}`, () => this.#ofItem(root))
    }
  }

  /** Finds an origin once. Until it is found it counts as null, because variables may be set from each other in a circle. */
  #once(key: string, find: () => Origin | null): Origin | null {
    const known = this.#asked.get(key)
    if (known !== undefined) return known
    this.#asked.set(key, null)
    const origin = find()
    this.#asked.set(key, origin)
    return origin
  }

  #ofVar(name: string): Origin | null {
    return first(
      this.#nodes.map(({ kind, value }) => {
        const set = kind === 'set' && isObject(value['set']) ? value['set'][name] : undefined
        return this.#ofValue(set)
      }),
    )
  }

  #ofItem(name: string): Origin | null {
    const loops = this.#nodes.filter(({ kind, value }) => kind === 'foreach' && (value['as'] ?? 'item') === name)
    return first(loops.map(({ value }) => this.#ofValue(value['foreach'])))
  }

  #ofStep(id: string, path: Path): Origin | null {
    const step = this.#nodes.find((node) => node.id === id)
    if (step === undefined || path[2] === 'status') return null
    const skill = calledBy(step, this.#subject.world)
    const output = (skill?.known?.document as { readonly output?: Json } | undefined)?.output
    return isText(output, path.slice(3)) ? 'answer' : null
  }

  /** Text that was quoted when it was stored counts as harmless. Here, any quoting filter is accepted. */
  #ofValue(value: Json | undefined): Origin | null {
    const filters = this.#subject.world.filters()
    return first(
      [...stringsIn(value, [])].flatMap(({ text }) =>
        (partsOf(text, filters)?.outputs ?? []).map((output) =>
          output.filters.some((name) => Object.hasOwn(filters, name)) ? null : this.ofOutput(output),
        ),
      ),
    )
  }
}

const known = new WeakMap<Subject, Taint>()

/** Returns the playbook's `Taint`. Several rules need it, so it is made once. */
export function taintOf(subject: Subject): Taint {
  const taint = known.get(subject) ?? new Taint(subject)
  known.set(subject, taint)
  return taint
}

function first(origins: readonly (Origin | null)[]): Origin | null {
  return origins.find((origin) => origin === 'alert') ?? origins.find((origin) => origin !== null) ?? null
}

/** Returns whether the schema allows any text at a path. */
function isText(schema: Json | undefined, path: Path): boolean {
  if (!isObject(schema)) return true
  const [key, ...rest] = path
  if (key === undefined) {
    const types = [schema['type'] ?? []].flat()
    if (types.length > 0 && types.every((type) => ['integer', 'number', 'boolean', 'null'].includes(String(type)))) return false
    return schema['enum'] === undefined && schema['const'] === undefined && !plainFormats.has(String(schema['format'] ?? ''))
  }
  const { properties, items } = schema
  if (isObject(properties) && Object.hasOwn(properties, key)) return isText(properties[key], rest)
  if (isObject(items) && /^(?:\d+|first|last)$/.test(key)) return isText(items, rest)
  return key !== 'size'
}

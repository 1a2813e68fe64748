/** The form in which a node is written. */
const forms = ['map', 'list', 'plain', 'single', 'double', 'literal', 'folded', 'alias', 'absent'] as const
export type Form = (typeof forms)[number]

/** The places of all values of a document. It is plain data, so it can be sent to another process. */
export interface Tree {
  /**
   * Six numbers for each node: its start and end, the start and end of its key (-1 if it has none), the index of the next node after its
   * descendants, and its form. Nodes are in the order of the file, and the children of a node come right after it. For an alias, the index is
   * that of the node that it repeats.
   */
  readonly marks: Int32Array
  /** The key of each node. Empty if it has none. */
  readonly names: readonly string[]
}

const width = 6

/** Collects a tree while a document is read. */
export class TreeBuilder {
  readonly #marks: number[] = []
  readonly #names: string[] = []

  /** Begins a node. @returns its index */
  open(form: Form, range: readonly [number, number], key: { readonly name: string; readonly range: readonly [number, number] } | null): number {
    this.#marks.push(range[0], range[1], key?.range[0] ?? -1, key?.range[1] ?? -1, 0, forms.indexOf(form))
    this.#names.push(key?.name ?? '')
    return this.#names.length - 1
  }

  /** Ends a node. @param target for an alias: the node that it repeats */
  close(node: number, target: number | null = null): void {
    this.#marks[node * width + 4] = target ?? this.#names.length
  }

  build(): Tree {
    return { marks: Int32Array.from(this.#marks), names: this.#names }
  }
}

/** One node of a tree. */
export class TreeNode {
  readonly #reader: TreeReader
  readonly index: number

  constructor(reader: TreeReader, index: number) {
    this.#reader = reader
    this.index = index
  }

  /** Its range in the text. Null for a key without a value. */
  get span(): { readonly start: number; readonly end: number } | null {
    return this.form === 'absent' ? null : { start: this.#mark(0), end: this.#mark(1) }
  }

  get keySpan(): { readonly start: number; readonly end: number } | null {
    return this.#mark(2) < 0 ? null : { start: this.#mark(2), end: this.#mark(3) }
  }

  get form(): Form {
    return forms[this.#mark(5)] ?? 'plain'
  }

  /** Its child under a key or at an index. For an alias: the child of the node that it repeats. */
  child(step: string | number): TreeNode | undefined {
    return this.#reader.child(this.index, step)
  }

  #mark(column: number): number {
    return this.#reader.mark(this.index, column)
  }
}

/** Finds nodes by their path. */
export class TreeReader {
  readonly #tree: Tree
  /** The children of each node, by key or by index. Built on first use. */
  readonly #children = new Map<number, ReadonlyMap<string, number>>()

  constructor(tree: Tree) {
    this.#tree = tree
  }

  /** Null for an empty document. */
  get root(): TreeNode | null {
    return this.#tree.names.length === 0 ? null : new TreeNode(this, 0)
  }

  mark(node: number, column: number): number {
    return this.#tree.marks[node * width + column] ?? 0
  }

  child(node: number, step: string | number): TreeNode | undefined {
    const form = forms[this.mark(node, 5)]
    if (form === 'alias') return this.child(this.mark(node, 4), step)
    if (form !== 'map' && form !== 'list') return undefined
    const known = this.#children.get(node) ?? this.#childrenOf(node, form)
    const index = known.get(String(step))
    return index === undefined ? undefined : new TreeNode(this, index)
  }

  #childrenOf(node: number, form: 'map' | 'list'): ReadonlyMap<string, number> {
    const found = new Map<string, number>()
    const end = this.mark(node, 4)
    for (let child = node + 1; child < end; ) {
      found.set(form === 'map' ? (this.#tree.names[child] ?? '') : String(found.size), child)
      child = forms[this.mark(child, 5)] === 'alias' ? child + 1 : this.mark(child, 4)
    }
    this.#children.set(node, found)
    return found
  }
}

/** Each level uses four bits of a key's number to choose a branch. Five levels hold 2^20 keys. */
const [bits, levels] = [4, 5]
const width = 2 ** bits
const most = 2 ** (bits * levels)

/** A branch, or on the last level the values. It never changes once a map refers to it. */
type Branch = readonly unknown[]

/** The keys of all maps that come from one empty map. Each key has a number. Keys are never removed. */
interface Keys {
  readonly numbers: Map<string, number>
  readonly names: string[]
}

/**
 * An immutable map. `set` returns a new map that shares almost everything with the old one.
 * Comparing two maps that come from the same empty one takes time for the differences only, not for
 * the size.
 */
export class PersistentMap<V> {
  readonly #keys: Keys
  readonly #root: Branch | undefined

  private constructor(keys: Keys, root: Branch | undefined) {
    this.#keys = keys
    this.#root = root
  }

  static empty<V>(): PersistentMap<V> {
    return new PersistentMap<V>({ numbers: new Map(), names: [] }, undefined)
  }

  get(key: string): V | undefined {
    const number = this.#keys.numbers.get(key)
    if (number === undefined) return undefined
    let branch: unknown = this.#root
    for (let level = levels - 1; level >= 0 && branch !== undefined; level -= 1) branch = (branch as Branch)[slot(number, level)]
    return branch as V | undefined
  }

  has(key: string): boolean {
    return this.get(key) !== undefined
  }

  /** @param value undefined removes the key */
  set(key: string, value: V | undefined): PersistentMap<V> {
    const number = this.#keys.numbers.get(key) ?? this.#add(key)
    const root = changed(this.#root, number, levels - 1, value)
    return root === this.#root ? this : new PersistentMap(this.#keys, root)
  }

  /** Yields every key whose values differ. Both maps must come from the same empty one. */
  *differences(other: PersistentMap<V>): Generator<{ readonly key: string; readonly own: V | undefined; readonly other: V | undefined }> {
    if (this.#keys !== other.#keys) throw new Error('These maps do not come from the same one.')
    for (const [number, own, theirs] of differing(this.#root, other.#root, levels - 1, 0))
      yield { key: this.#keys.names[number] ?? '', own: own as V | undefined, other: theirs as V | undefined }
  }

  /** Yields the entries in the order in which the keys were first set in any map with the same origin. */
  *entries(): Generator<readonly [string, V]> {
    for (const [number, value] of differing(this.#root, undefined, levels - 1, 0)) yield [this.#keys.names[number] ?? '', value as V]
  }

  #add(key: string): number {
    const { numbers, names } = this.#keys
    if (names.length >= most) throw new RangeError(`A persistent map has ${most} keys at most.`)
    numbers.set(key, names.length)
    return names.push(key) - 1
  }
}

function slot(number: number, level: number): number {
  return (number >> (level * bits)) & (width - 1)
}

function changed(branch: Branch | undefined, number: number, level: number, value: unknown): Branch | undefined {
  const at = slot(number, level)
  const before = branch?.[at]
  const after = level === 0 ? value : changed(before as Branch | undefined, number, level - 1, value)
  if (after === before) return branch
  const next = branch === undefined ? new Array<unknown>(width).fill(undefined) : [...branch]
  next[at] = after
  return next
}

function* differing(
  a: Branch | undefined,
  b: Branch | undefined,
  level: number,
  first: number,
): Generator<readonly [number: number, a: unknown, b: unknown]> {
  if (a === b) return
  for (let at = 0; at < width; at += 1) {
    const [own, other] = [a?.[at], b?.[at]]
    if (own === other) continue
    const number = first + at * 2 ** (level * bits)
    if (level === 0) yield [number, own, other]
    else yield* differing(own as Branch | undefined, other as Branch | undefined, level - 1, number)
  }
}

import { type Change, together } from './change.ts'
import { kindOfTouch, type Touch, touchKey, withKind } from './touch.ts'

/** The most objects that are collected for one batch. If more are touched, the batch is a gap. */
const mostTouches = 10_000
/** The most objects of a kind and an organization that one batch names. */
const mostNamed = 100

/** Collects touches, one for each object. */
export class Touched {
  #touches = new Map<string, Touch>()
  /** Whether there were more touches than fit. */
  #more = false

  get some(): boolean {
    return this.#more || this.#touches.size > 0
  }

  add(touches: readonly Touch[]): void {
    for (const touch of touches) {
      const key = touchKey(touch)
      const earlier = this.#touches.get(key)
      if (earlier) this.#touches.set(key, withKind(touch, together(kindOfTouch(earlier), kindOfTouch(touch))))
      else if (this.#touches.size < mostTouches) this.#touches.set(key, touch)
      else this.#more = true
    }
  }

  /** Returns the collected touches, and forgets them. */
  take(): { readonly touches: readonly Touch[]; readonly more: boolean } {
    const taken = { touches: this.#more ? [] : [...this.#touches.values()], more: this.#more }
    this.#touches = new Map()
    this.#more = false
    return taken
  }
}

/** Returns each object once. If very many objects of one kind and organization changed, names none of them. */
export function summarised(changes: readonly Change[]): readonly Change[] {
  const byObject = new Map<string, Change>()
  for (const change of changes) {
    const key = `${change.object} ${change.id ?? ''}`
    const earlier = byObject.get(key)
    byObject.set(key, earlier ? { ...change, change: together(earlier.change, change.change) } : change)
  }
  const groups = Map.groupBy(byObject.values(), ({ object, of }) => `${object} ${typeof of === 'string' ? of : of.join(' ')}`)
  return [...groups.values()].flatMap((group) => (group.length > mostNamed ? unnamed(group) : group))
}

function unnamed(group: readonly Change[]): readonly Change[] {
  const [first] = group
  return first ? [{ ...first, id: null, change: group.every(({ change }) => change === 'created') ? 'created' : 'changed' }] : []
}

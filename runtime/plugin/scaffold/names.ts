import { cutText } from '../../domain/index.ts'

/** The longest name of a skill, a field or an input. */
const longest = 64

/** Returns a name that Tocsin can use: `X-Request-Id` and `xRequestId` become `x_request_id`. Never empty. */
export function nameOf(text: string): string {
  const words = text
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1_$2')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '')
  return (/^[a-z]/.test(words) ? words : `n_${words}`).slice(0, longest).replace(/_+$/, '')
}

/** Gives each thing a name of its own: the second `user` becomes `user_2`. */
export class Names {
  readonly #taken = new Set<string>()

  take(text: string): string {
    const name = nameOf(text)
    for (let count = 1; ; count++) {
      const ending = count === 1 ? '' : `_${count}`
      const one = `${name.slice(0, longest - ending.length)}${ending}`
      if (this.#taken.has(one)) continue
      this.#taken.add(one)
      return one
    }
  }
}

/** Returns a text as one line of at most `most` characters. */
export function oneLine(text: string, most: number): string {
  return cutText(text.replace(/\s+/g, ' ').trim(), most)
}

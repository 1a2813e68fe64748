import { TocsinError } from '../errors/index.ts'

/**
 * Checks a key before it is sent. A request cannot have a header with other characters, and the error of `fetch` would repeat the key.
 * @returns the key without white space around it
 * @throws TocsinError `config_invalid`, which does not repeat the key
 */
export function checkedKey(given: string): string {
  const key = given.trim()
  // An option that a script left empty must not become the admin key.
  if (key === '') throw new TocsinError('config_invalid', 'The API key in --key is empty.', [], { remedy: 'Give the key, or leave out --key.' })
  const [odd] = /[^\x21-\x7e]/u.exec(key) ?? []
  if (odd === undefined) return key
  const name = odd === ' ' ? 'a space' : odd === '\n' || odd === '\r' ? 'a line break' : `the character ${pointOf(odd)}`
  throw new TocsinError('config_invalid', `The API key has ${name} in it, so it was not sent.`, [], {
    remedy: 'Copy the key again, without anything before or after it. Give it as --key or set TOCSIN_API_KEY.',
  })
}

function pointOf(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
}

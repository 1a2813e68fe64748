import type { Json } from '../../domain/index.ts'
import { TocsinError } from '../../errors/index.ts'
import { declaredCharset, mediaTypeOf, saysJson } from './charset.ts'

/**
 * Returns why a body can never be sent with a content type. Null if it can, or if that depends on
 * the value. Every body is a JSON value. With a JSON content type it is sent as JSON. With any
 * other it must be a string, which is sent unchanged, in UTF-8.
 * @param kind what is known about the body
 */
export function bodyFault(kind: 'text' | 'other' | 'unknown', contentType: string): string | null {
  if (saysJson(contentType)) return null
  const charset = declaredCharset(contentType)
  if (charset !== null && !sendable.test(charset)) return `The content type names the charset ${charset}. Texts are sent in UTF-8.`
  if (kind !== 'other') return null
  return `The content type is ${mediaTypeOf(contentType) || 'empty'}, but the body is not a text. Give a text, or use a JSON content type.`
}

/** UTF-8, and charsets that encode ASCII texts with the same bytes. */
const sendable = /^(utf-?8|(us-)?ascii|iso-8859-1|latin1|windows-1252)$/
// biome-ignore lint/suspicious/noControlCharactersInRegex: the range is that of ASCII
const ascii = /^[\x00-\x7f]*$/

/**
 * Returns the text to send for a body, with exactly the value that was given.
 * @throws TocsinError `skill_input_invalid` if the body cannot be sent exactly with its content
 * type
 */
export function bodyText(body: Json, contentType: string): string {
  const fault = bodyFault(typeof body === 'string' ? 'text' : 'other', contentType)
  if (fault !== null) throw new TocsinError('skill_input_invalid', fault)
  if (saysJson(contentType)) {
    if (typeof body === 'string' && isJsonText(body))
      throw new TocsinError(
        'skill_input_invalid',
        'The body is a text that is already JSON. It would be sent in quotes. Give the value, not its JSON.',
      )
    return JSON.stringify(body)
  }
  const text = body as string
  if (!text.isWellFormed())
    throw new TocsinError('skill_input_invalid', 'The body contains half of a character (a lone surrogate), which UTF-8 cannot encode.')
  const charset = declaredCharset(contentType)
  if (charset !== null && !/^utf-?8$/.test(charset) && !ascii.test(text))
    throw new TocsinError(
      'skill_input_invalid',
      `The content type names the charset ${charset}, but the body has characters outside ASCII. Texts are sent in UTF-8.`,
    )
  return text
}

/** Returns whether a string is the JSON of an object or list. Sending it as JSON would encode it twice. */
function isJsonText(text: string): boolean {
  if (!/^\s*[[{]/.test(text)) return false
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

import type { Json } from '../domain/index.ts'
import { TocsinError } from '../errors/index.ts'
import { declaredCharset, mediaTypeOf, saysJson } from './charset.ts'

/**
 * Why a body can never be sent under a content type; null: it can, or it depends on its value. Every body is a JSON value. Where the content
 * type is JSON, it is written as JSON. Elsewhere it must be one text, which is sent as it is, in UTF-8.
 * @param kind what is known of the body
 */
export function bodyFault(kind: 'text' | 'other' | 'unknown', contentType: string): string | null {
  if (saysJson(contentType)) return null
  const charset = declaredCharset(contentType)
  if (charset !== null && !sendable.test(charset)) return `The content type names the charset ${charset}. Texts are sent in UTF-8.`
  if (kind !== 'other') return null
  return `The content type is ${mediaTypeOf(contentType) || 'empty'}, and the body is no text. Only a text can be sent as it is; everything else is sent as JSON.`
}

/** UTF-8, and what has the same bytes as long as the text is ASCII. */
const sendable = /^(utf-?8|(us-)?ascii|iso-8859-1|latin1|windows-1252)$/
// biome-ignore lint/suspicious/noControlCharactersInRegex: the range is that of ASCII
const ascii = /^[\x00-\x7f]*$/

/**
 * The text that a body is sent as: exactly what was given, or nothing.
 * @throws TocsinError `skill_input_invalid` when the body cannot be sent exactly under its content type
 */
export function bodyText(body: Json, contentType: string): string {
  const fault = bodyFault(typeof body === 'string' ? 'text' : 'other', contentType)
  if (fault !== null) throw new TocsinError('skill_input_invalid', fault)
  if (saysJson(contentType)) {
    if (typeof body === 'string' && isJsonText(body))
      throw new TocsinError(
        'skill_input_invalid',
        'The body is a text that is JSON itself. It would be sent in quotes; give the value, not its JSON.',
      )
    return JSON.stringify(body)
  }
  const text = body as string
  if (!text.isWellFormed())
    throw new TocsinError('skill_input_invalid', 'The body has half of a character (a lone surrogate), which UTF-8 does not have.')
  const charset = declaredCharset(contentType)
  if (charset !== null && !/^utf-?8$/.test(charset) && !ascii.test(text))
    throw new TocsinError(
      'skill_input_invalid',
      `The content type names the charset ${charset}, and the body has more than ASCII. Texts are sent in UTF-8.`,
    )
  return text
}

/** Whether a text is an object or list as JSON: who sends it as JSON has made JSON of it twice. */
function isJsonText(text: string): boolean {
  if (!/^\s*[[{]/.test(text)) return false
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

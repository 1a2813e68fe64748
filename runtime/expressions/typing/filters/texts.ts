import type { Filters } from '../../template/index.ts'
import { integer, type Kind, listOf, number, text, union } from '../model/index.ts'
import { itemsOf } from './lists.ts'
import { type FilterSignature, lists, type Shape, scalars, signature } from '../../filters/signature.ts'

const anything: Shape = { takes: ['null', 'boolean', 'number', 'text', 'list', 'object'], needs: 'a value' }
const times: Shape = { takes: ['number', 'text'], needs: 'a time: epoch milliseconds or an ISO 8601 text' }

const textual: readonly Kind[] = ['text', 'number', 'boolean']
const numeric: readonly Kind[] = ['number']

/** Text in, text out, with so many texts as arguments. */
function ofText(...optional: readonly (readonly Kind[])[]): FilterSignature {
  return signature(scalars, optional, () => text, { least: 0 })
}

function withTexts(amount: number): FilterSignature {
  return signature(
    scalars,
    Array.from({ length: amount }, () => textual),
    () => text,
  )
}

const time = (...optional: readonly (readonly Kind[] | null)[]): FilterSignature =>
  signature(times, optional, () => text, { least: 0, failsOnNull: true })

export const textFilters: Readonly<Record<string, FilterSignature>> = {
  append: withTexts(1),
  prepend: withTexts(1),
  remove: withTexts(1),
  remove_first: withTexts(1),
  remove_last: withTexts(1),
  replace: signature(scalars, [textual, textual], () => text, { least: 1 }),
  replace_first: signature(scalars, [textual, textual], () => text, { least: 1 }),
  replace_last: signature(scalars, [textual, textual], () => text, { least: 1 }),
  strip: ofText(textual),
  lstrip: ofText(textual),
  rstrip: ofText(textual),
  // What is short enough stays what it is.
  truncate: signature(scalars, [numeric, textual], ({ input }) => union(input, text), { least: 0 }),
  truncatewords: ofText(numeric, textual),
  slugify: ofText(textual, ['boolean']),
  upcase: ofText(),
  downcase: ofText(),
  capitalize: ofText(),
  strip_newlines: ofText(),
  strip_html: ofText(),
  squish: ofText(),
  normalize_whitespace: ofText(),
  newline_to_br: ofText(),
  escape: ofText(),
  escape_once: ofText(),
  xml_escape: ofText(),
  url_encode: ofText(),
  url_decode: ofText(),
  cgi_escape: ofText(),
  uri_escape: ofText(),
  base64_encode: ofText(),
  base64_decode: ofText(),
  sha256: ofText(),
  hmac_sha256: withTexts(1),
  number_of_words: signature(scalars, [textual], () => integer, { least: 0 }),
  split: signature(scalars, [textual], () => listOf(text)),
  to_integer: signature({ ...scalars, needs: 'a number, or a text that is one' }, [], () => number),
  json: signature(anything, [numeric], () => text, { least: 0 }),
  jsonify: signature(anything, [numeric], () => text, { least: 0 }),
  inspect: signature(anything, [numeric], () => text, { least: 0 }),
  date: time(textual, ['number', 'text']),
  date_to_xmlschema: time(),
  date_to_rfc822: time(),
  date_to_string: time(textual, textual),
  date_to_long_string: time(textual, textual),
  // A single item stays what it is.
  array_to_sentence_string: signature(lists, [textual], ({ input }) => union(itemsOf(input), text), { least: 0 }),
}

const quoting: FilterSignature = signature({ takes: ['text', 'number', 'boolean'], needs: 'a text, number or boolean' }, [], () => text, {
  failsOnNull: true,
})

/** The quoting filters of manifests. */
export function quotingFilters(filters: Filters): Readonly<Record<string, FilterSignature>> {
  return Object.fromEntries(Object.keys(filters).map((name) => [name, quoting]))
}

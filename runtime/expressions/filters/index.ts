/**
 * The filters of templates. Each file defines one: its name, text and example, its types, what it
 * costs, and its code or that liquidjs has it. `definition.ts` says what a definition has.
 */
import type { Filter } from './definition.ts'
import { base64Decode } from './encodings/base64-decode.ts'
import { base64Encode } from './encodings/base64-encode.ts'
import { cgiEscape } from './encodings/cgi-escape.ts'
import { escapeHtml } from './encodings/escape.ts'
import { escapeOnce } from './encodings/escape-once.ts'
import { inspect } from './encodings/inspect.ts'
import { json } from './encodings/json.ts'
import { jsonify } from './encodings/jsonify.ts'
import { uriEscape } from './encodings/uri-escape.ts'
import { urlDecode } from './encodings/url-decode.ts'
import { urlEncode } from './encodings/url-encode.ts'
import { xmlEscape } from './encodings/xml-escape.ts'
import { arrayToSentenceString } from './lists/array-to-sentence-string.ts'
import { compact } from './lists/compact.ts'
import { concat } from './lists/concat.ts'
import { first } from './lists/first.ts'
import { join } from './lists/join.ts'
import { last } from './lists/last.ts'
import { pop } from './lists/pop.ts'
import { push } from './lists/push.ts'
import { reverse } from './lists/reverse.ts'
import { shift } from './lists/shift.ts'
import { size } from './lists/size.ts'
import { sort } from './lists/sort.ts'
import { sortNatural } from './lists/sort-natural.ts'
import { uniq } from './lists/uniq.ts'
import { unshift } from './lists/unshift.ts'
import { find } from './members/find.ts'
import { findIndex } from './members/find-index.ts'
import { groupBy } from './members/group-by.ts'
import { has } from './members/has.ts'
import { map } from './members/map.ts'
import { maxBy } from './members/max-by.ts'
import { reject } from './members/reject.ts'
import { sum } from './members/sum.ts'
import { where } from './members/where.ts'
import { abs } from './numbers/abs.ts'
import { atLeast } from './numbers/at-least.ts'
import { atMost } from './numbers/at-most.ts'
import { ceil } from './numbers/ceil.ts'
import { dividedBy } from './numbers/divided-by.ts'
import { floor } from './numbers/floor.ts'
import { minus } from './numbers/minus.ts'
import { modulo } from './numbers/modulo.ts'
import { plus } from './numbers/plus.ts'
import { round } from './numbers/round.ts'
import { times } from './numbers/times.ts'
import { toInteger } from './numbers/to-integer.ts'
import { defaultFilter } from './others/default.ts'
import { hmacSha256 } from './others/hmac-sha256.ts'
import { sha256 } from './others/sha256.ts'
import { remove } from './replacement/remove.ts'
import { removeFirst } from './replacement/remove-first.ts'
import { removeLast } from './replacement/remove-last.ts'
import { replace } from './replacement/replace.ts'
import { replaceFirst } from './replacement/replace-first.ts'
import { replaceLast } from './replacement/replace-last.ts'
import { append } from './text/append.ts'
import { capitalize } from './text/capitalize.ts'
import { downcase } from './text/downcase.ts'
import { numberOfWords } from './text/number-of-words.ts'
import { prepend } from './text/prepend.ts'
import { slice } from './text/slice.ts'
import { slugify } from './text/slugify.ts'
import { split } from './text/split.ts'
import { stripHtml } from './text/strip-html.ts'
import { truncate } from './text/truncate.ts'
import { truncatewords } from './text/truncatewords.ts'
import { upcase } from './text/upcase.ts'
import { date } from './times/date.ts'
import { dateToLongString } from './times/date-to-long-string.ts'
import { dateToRfc822 } from './times/date-to-rfc822.ts'
import { dateToString } from './times/date-to-string.ts'
import { dateToXmlschema } from './times/date-to-xmlschema.ts'
import { lstrip } from './white-space/lstrip.ts'
import { newlineToBr } from './white-space/newline-to-br.ts'
import { normalizeWhitespace } from './white-space/normalize-whitespace.ts'
import { rstrip } from './white-space/rstrip.ts'
import { squish } from './white-space/squish.ts'
import { strip } from './white-space/strip.ts'
import { stripNewlines } from './white-space/strip-newlines.ts'

export type { Filter, FilterFunction } from './definition.ts'
export { filterContext } from './example-context.ts'
export { type Filters, quote, quotingCost, quotingFilter, typesOfQuoting } from './quoting.ts'
export type { FilterSignature } from './signature.ts'

/** Every filter that all templates may use, by the groups of the reference page and in its order. Plugins add filters that quote. */
export const filterGroups: Readonly<Record<string, readonly Filter[]>> = {
  Text: [
    append,
    prepend,
    upcase,
    downcase,
    capitalize,
    strip,
    lstrip,
    rstrip,
    squish,
    normalizeWhitespace,
    stripNewlines,
    newlineToBr,
    stripHtml,
    remove,
    removeFirst,
    removeLast,
    replace,
    replaceFirst,
    replaceLast,
    slice,
    split,
    truncate,
    truncatewords,
    numberOfWords,
    slugify,
  ],
  'Encoded text': [urlEncode, urlDecode, uriEscape, cgiEscape, escapeHtml, escapeOnce, xmlEscape, base64Encode, base64Decode, json, jsonify, inspect],
  Numbers: [plus, minus, times, dividedBy, modulo, abs, ceil, floor, round, atLeast, atMost, toInteger],
  Lists: [
    size,
    first,
    last,
    join,
    arrayToSentenceString,
    concat,
    push,
    unshift,
    pop,
    shift,
    reverse,
    sort,
    sortNatural,
    uniq,
    compact,
    map,
    where,
    reject,
    has,
    find,
    findIndex,
    groupBy,
    sum,
    maxBy,
  ],
  Others: [defaultFilter, date, dateToXmlschema, dateToRfc822, dateToString, dateToLongString, sha256, hmacSha256],
}

export const allFilters: readonly Filter[] = Object.values(filterGroups).flat()

/**
 * The filters of templates. Each file defines one: its name, text and example, its types, what it
 * costs, and its code or that liquidjs has it. `definition.ts` says what a definition has.
 */

import type { Filter } from './definition.ts'
import {
  base64Decode,
  base64Encode,
  cgiEscape,
  escapeHtml,
  escapeOnce,
  inspect,
  json,
  jsonify,
  uriEscape,
  urlDecode,
  urlEncode,
  xmlEscape,
} from './encodings/index.ts'
import {
  arrayToSentenceString,
  compact,
  concat,
  first,
  join,
  last,
  pop,
  push,
  reverse,
  shift,
  size,
  sort,
  sortNatural,
  uniq,
  unshift,
} from './lists/index.ts'
import { find, findIndex, groupBy, has, map, maxBy, reject, sum, where } from './members/index.ts'
import { abs, atLeast, atMost, ceil, dividedBy, floor, minus, modulo, plus, round, times, toInteger } from './numbers/index.ts'
import { defaultFilter, hmacSha256, sha256 } from './others/index.ts'
import { remove, removeFirst, removeLast, replace, replaceFirst, replaceLast } from './replacement/index.ts'
import {
  append,
  capitalize,
  downcase,
  numberOfWords,
  prepend,
  slice,
  slugify,
  split,
  stripHtml,
  truncate,
  truncatewords,
  upcase,
} from './text/index.ts'
import { date, dateToLongString, dateToRfc822, dateToString, dateToXmlschema } from './times/index.ts'
import { lstrip, newlineToBr, normalizeWhitespace, rstrip, squish, strip, stripNewlines } from './white-space/index.ts'

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

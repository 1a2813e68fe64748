/** What templates' filters do, each with an example over `filterContext`; docs/reference/expressions.md and editors show it. */
export interface FilterEntry {
  readonly does: string
  readonly example: string
}

/** What the examples read. */
export const filterContext = {
  vars: {
    name: 'Ada Lovelace',
    list: [3, 1, 2, 3],
    words: ['b', 'C', 'a'],
    users: [
      { name: 'ada', age: 36, admin: true },
      { name: 'bob', age: 17 },
    ],
    time: '2026-11-01T09:04:11Z',
    url: 'https://example.com/a b?c=d&e',
    number: -7.25,
    gaps: [1, null, 2],
  },
} as const

const text: Readonly<Record<string, FilterEntry>> = {
  append: { does: 'the text with another after it', example: "{{ vars.name | append: '!' }}" },
  prepend: { does: 'the text with another before it', example: "{{ vars.name | prepend: 'Dr. ' }}" },
  upcase: { does: 'in capitals', example: '{{ vars.name | upcase }}' },
  downcase: { does: 'in small letters', example: '{{ vars.name | downcase }}' },
  capitalize: { does: 'the first letter a capital, the rest small', example: '{{ vars.name | capitalize }}' },
  strip: { does: 'without white space around it', example: "{{ '  a b ' | strip }}" },
  lstrip: { does: 'without white space before it', example: "{{ '  a ' | lstrip }}" },
  rstrip: { does: 'without white space after it', example: "{{ '  a ' | rstrip }}" },
  squish: { does: 'white space around it removed, within it one space each', example: "{{ '  a   b ' | squish }}" },
  normalize_whitespace: { does: 'each run of white space as one space', example: "{{ 'a   b' | normalize_whitespace }}" },
  strip_newlines: { does: 'without line breaks', example: "{{ 'a b' | strip_newlines }}" },
  newline_to_br: { does: 'line breaks as `<br />`', example: "{{ 'a b' | newline_to_br }}" },
  strip_html: { does: 'without tags', example: "{{ '<b>a</b>' | strip_html }}" },
  remove: { does: 'without every occurrence of a text', example: "{{ vars.name | remove: 'a' }}" },
  remove_first: { does: 'without the first occurrence', example: "{{ vars.name | remove_first: 'a' }}" },
  remove_last: { does: 'without the last occurrence', example: "{{ vars.name | remove_last: 'e' }}" },
  replace: { does: 'every occurrence of a text replaced by another', example: "{{ vars.name | replace: 'a', 'o' }}" },
  replace_first: { does: 'the first occurrence replaced', example: "{{ vars.name | replace_first: 'a', 'o' }}" },
  replace_last: { does: 'the last occurrence replaced', example: "{{ vars.name | replace_last: 'e', 'y' }}" },
  slice: { does: 'from a position on so many characters, or items of a list; without a number one', example: '{{ vars.list | slice: 1, 2 }}' },
  split: { does: 'the pieces between a text', example: "{{ vars.name | split: ' ' }}" },
  truncate: { does: 'at most so many characters, the dots included', example: '{{ vars.name | truncate: 6 }}' },
  truncatewords: { does: 'at most so many words', example: '{{ vars.name | truncatewords: 1 }}' },
  number_of_words: { does: 'how many words', example: '{{ vars.name | number_of_words }}' },
  slugify: { does: 'small letters, digits and hyphens', example: '{{ vars.name | slugify }}' },
}

const encodings: Readonly<Record<string, FilterEntry>> = {
  url_encode: { does: 'for a query of a URL; a space becomes `+`', example: '{{ vars.url | url_encode }}' },
  url_decode: { does: 'the text that was encoded so', example: "{{ 'a+b%26' | url_decode }}" },
  uri_escape: { does: 'what no URL may hold encoded, its separators kept', example: '{{ vars.url | uri_escape }}' },
  cgi_escape: { does: 'for a form; a space becomes `+`', example: '{{ vars.url | cgi_escape }}' },
  escape: { does: 'for HTML', example: "{{ '<a>' | escape }}" },
  escape_once: { does: 'for HTML, what is escaped already kept', example: "{{ '&lt;a>' | escape_once }}" },
  xml_escape: { does: 'for XML', example: "{{ '<a>' | xml_escape }}" },
  base64_encode: { does: 'in Base64', example: '{{ vars.name | base64_encode }}' },
  base64_decode: { does: 'the text that is in Base64', example: "{{ 'QWRh' | base64_decode }}" },
  json: { does: 'as JSON', example: '{{ vars.users | json }}' },
  jsonify: { does: 'as JSON', example: '{{ vars.list | jsonify }}' },
  inspect: { does: 'as JSON', example: '{{ vars.name | inspect }}' },
}

const numbers: Readonly<Record<string, FilterEntry>> = {
  plus: { does: 'the sum', example: '{{ 1 | plus: 2 }}' },
  minus: { does: 'the difference', example: '{{ 1 | minus: 2 }}' },
  times: { does: 'the product', example: '{{ 3 | times: 2 }}' },
  divided_by: { does: 'the quotient', example: '{{ 7 | divided_by: 2 }}' },
  modulo: { does: 'the rest of a division', example: '{{ 7 | modulo: 2 }}' },
  abs: { does: 'without its sign', example: '{{ vars.number | abs }}' },
  ceil: { does: 'rounded up', example: '{{ vars.number | ceil }}' },
  floor: { does: 'rounded down', example: '{{ vars.number | floor }}' },
  round: { does: 'rounded, to so many places', example: '{{ vars.number | round: 1 }}' },
  at_least: { does: 'this number or the larger one', example: '{{ vars.number | at_least: 0 }}' },
  at_most: { does: 'this number or the smaller one', example: '{{ 700 | at_most: 100 }}' },
  to_integer: { does: 'the number that a text is', example: "{{ '42' | to_integer }}" },
}

const lists: Readonly<Record<string, FilterEntry>> = {
  size: { does: 'how many items, or characters', example: '{{ vars.list | size }}' },
  first: { does: 'the first item', example: '{{ vars.list | first }}' },
  last: { does: 'the last item', example: '{{ vars.list | last }}' },
  join: { does: 'the items as one text, a text between them', example: "{{ vars.words | join: ', ' }}" },
  array_to_sentence_string: { does: 'the items as words of a sentence', example: '{{ vars.words | array_to_sentence_string }}' },
  concat: { does: 'the items of both lists', example: '{{ vars.list | concat: vars.words }}' },
  push: { does: 'with one more item at the end', example: '{{ vars.words | push: "d" }}' },
  unshift: { does: 'with one more item at the beginning', example: '{{ vars.words | unshift: "d" }}' },
  pop: { does: 'without the last item', example: '{{ vars.words | pop }}' },
  shift: { does: 'without the first item', example: '{{ vars.words | shift }}' },
  reverse: { does: 'from the end', example: '{{ vars.list | reverse }}' },
  sort: { does: 'in order, or by a member; capitals before small letters', example: "{{ vars.users | sort: 'age' }}" },
  sort_natural: { does: 'in order whatever the case', example: '{{ vars.words | sort_natural }}' },
  uniq: { does: 'each item once', example: '{{ vars.list | uniq }}' },
  compact: { does: 'without the items that are null', example: '{{ vars.gaps | compact }}' },
  map: { does: 'a member of each item; null where an item has none', example: "{{ vars.users | map: 'admin' }}" },
  where: {
    does: 'the items whose member is this value, or is true; one without the member does not match',
    example: "{{ vars.users | where: 'name', 'bob' }}",
  },
  reject: { does: 'the items whose member is another value, or that have none', example: "{{ vars.users | reject: 'name', 'bob' }}" },
  has: { does: 'whether an item has a member of this value', example: "{{ vars.users | has: 'name', 'bob' }}" },
  find: { does: 'the first item whose member is this value', example: "{{ vars.users | find: 'name', 'bob' }}" },
  find_index: { does: 'where that item stands, from 0', example: "{{ vars.users | find_index: 'name', 'bob' }}" },
  group_by: {
    does: 'the items by a member: a list of `name` and `items`; null where an item has none',
    example: "{{ vars.users | group_by: 'name' | map: 'name' }}",
  },
  sum: { does: 'the sum of the items, or of a member of each', example: "{{ vars.users | sum: 'age' }}" },
  max_by: { does: "the item whose member is the largest number; Tocsin's own", example: "{{ vars.users | max_by: 'age' }}" },
}

const others: Readonly<Record<string, FilterEntry>> = {
  default: { does: 'this value where there is none: missing, null, false or empty', example: "{{ vars.nothing | default: 'none' }}" },
  date: { does: 'a time (ISO 8601 or epoch milliseconds) in words, UTC', example: "{{ vars.time | date: '%H:%M' }}" },
  date_to_xmlschema: { does: 'a time as ISO 8601', example: '{{ vars.time | date_to_xmlschema }}' },
  date_to_rfc822: { does: 'a time as in an e-mail header', example: '{{ vars.time | date_to_rfc822 }}' },
  date_to_string: { does: 'a day in short words', example: '{{ vars.time | date_to_string }}' },
  date_to_long_string: { does: 'a day in words', example: '{{ vars.time | date_to_long_string }}' },
  sha256: { does: 'the SHA-256 of a text', example: "{{ 'a' | sha256 | truncate: 12 }}" },
  hmac_sha256: { does: 'the HMAC-SHA-256 of a text', example: "{{ 'a' | hmac_sha256: 'key' | truncate: 12 }}" },
}

/** By group, every filter that every template may use. The quoting filters of the plugins come on top. */
export const filterReference: Readonly<Record<string, Readonly<Record<string, FilterEntry>>>> = {
  Text: text,
  'Encoded text': encodings,
  Numbers: numbers,
  Lists: lists,
  Others: others,
}

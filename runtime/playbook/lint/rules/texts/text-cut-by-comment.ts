import { renderedIn, stringsIn } from '../../document/index.ts'
import { defineRule } from '../../rule.ts'

/** `note: Ticket #12 is open` ends at `Ticket`. A `#` followed by a space is taken as an intended comment. */
export const textCutByComment = defineRule({
  codes: {
    text_cut_by_comment: {
      severity: 'warning',
      title: 'A comment seems to cut off the end of a text',
      why: 'In text without quotes, a `#` after a space starts a comment.',
      wrong: '- id: say\n  case:\n    note: See ticket #12 for more',
      right: "- id: say\n  case:\n    note: 'See ticket #12 for more'",
    },
  },
  check({ root, document: { text, span } }, report) {
    for (const { path: at, value } of renderedIn(root)) {
      for (const { path } of stringsIn(value, at)) {
        const place = span(path)
        if (place === null || /^['"|>]/.test(text.slice(place.start, place.end))) continue
        const rest = /^[ \t]+#(?=[\w{])[^\n]*/.exec(text.slice(place.end))
        if (rest === null) continue
        const told = `\`${rest[0].trim()}\` is a comment, not part of the text before it; put the text in quotes`
        report.offset('text_cut_by_comment', place.end + rest[0].indexOf('#'), path, told)
      }
    }
  },
})

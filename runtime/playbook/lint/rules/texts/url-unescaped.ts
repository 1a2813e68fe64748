import { partsOf } from '../../../../expressions/index.ts'
import { defineRule } from '../../rule.ts'
import { taintOf } from '../../taint.ts'
import { givenTexts, whose } from './given.ts'

/** Finds text that is put into a URL after its beginning. A whole URL from an alert is left alone. */
export const urlUnescaped = defineRule({
  codes: {
    url_unescaped: {
      severity: 'error',
      title: 'Untrusted text goes into a URL without encoding',
      why: 'A `/`, `?`, `#` or `@` in the text changes the URL. `url_encode` keeps the text one part of it.',
      wrong: "- id: facts\n  set: { page: 'https://wiki.example/users/{{ inputs.user }}' }\n- id: say\n  case: { note: '{{ vars.page }}' }",
      right:
        "- id: facts\n  set: { page: 'https://wiki.example/users/{{ inputs.user | url_encode }}' }\n- id: say\n  case: { note: '{{ vars.page }}' }",
    },
  },
  check(subject, report) {
    const taint = taintOf(subject)
    const filters = subject.world.filters()
    for (const { text, path, schema, isQuery } of givenTexts(subject)) {
      if (isQuery || !text.includes('{{')) continue
      const isUrlInput = schema['format'] === 'uri' || schema['x-semantic'] === 'url'
      for (const output of partsOf(text, filters)?.outputs ?? []) {
        const before = text.slice(0, output.start)
        const inUrl = /\bhttps?:\/\/[^\s"'<>]*$/i.test(before.replace(/\{\{.*?\}\}/gs, 'x'))
        if (!inUrl && !(isUrlInput && before.trim() !== '')) continue
        const origin = taint.ofOutput(output)
        if (origin === null) continue
        const told = `${whose[origin]} goes into a URL without encoding and could change the URL; encode it: \`| url_encode\``
        report.inside('url_unescaped', path, output.start, told)
      }
    }
  },
})

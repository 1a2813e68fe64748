import { describe, expect, test } from 'vitest'
import { findingsIn, messagesIn } from '../../testing.ts'

const inputs = `inputs:
  user: { type: string, from: [content.user] }
  asked: { type: boolean, from: [content.asked] }
`
/** Each is done, or has failed and set a variable. */
const begin = `
  - id: begin
    set: { known: true, state: fine }
  - id: look
    skill: mfa.get_user
    with: { username: ada }
    on_error: [{ id: unknown, set: { known: false, state: broken } }]
  - id: other
    if: { var: [inputs.asked, false] }
    skill: mfa.get_user
    with: { username: bob }
`
const read = '{{ steps.look.output.name }}'
const codesIn = (text: string): readonly string[] =>
  findingsIn(`${begin}  - id: say\n    case: { note: ${JSON.stringify(text)} }\n`, inputs)
    .map((found) => found.split(' ')[1] ?? '')
    .filter((code) => code.includes('may'))

describe('in a text, lint knows from a test around it that a step is done', () => {
  test.each([
    ['its status', `{% if steps.look.status == 'done' %}${read}{% endif %}`],
    ['its status, the other way round', `{% if 'done' == steps.look.status %}${read}{% endif %}`],
    ['that it has not failed', `{% unless steps.look.status == 'failed' %}${read}{% endunless %}`],
    ['that it has not failed, in the `else`', `{% if steps.look.status == 'failed' %}no{% else %}${read}{% endif %}`],
    ['its status, by a `case`', `{% case steps.look.status %}{% when 'skipped', 'done' %}${read}{% endcase %}`],
    ['its status, in the `else` of a `case`', `{% case steps.look.status %}{% when 'failed' %}no{% else %}${read}{% endcase %}`],
    ['its status, after other branches', `{% if alert.alert_name == 'a' %}a{% elsif steps.look.status == 'done' %}${read}{% endif %}`],
    ['an earlier branch', `{% if steps.look.status == 'failed' %}a{% elsif alert.alert_name == 'a' %}${read}{% endif %}`],
    ['its output', `{% if steps.look.output %}${read}{% endif %}`],
    ['that its output is not null', `{% if steps.look.output != nil %}${read}{% endif %}`],
    ['a part of its output', `{% if steps.look.output.name contains 'a' %}${read}{% endif %}`],
    ['the size of its output', `{% if steps.look.output.list.size > 0 %}${read}{% endif %}`],
    ['a number that a missing value is not', `{% if steps.look.output.n > 3 %}${read}{% endif %}`],
    ['a number that a missing value would be', `{% if steps.look.output.n > -1 %}no{% else %}${read}{% endif %}`],
    ['a variable', `{% if vars.known %}${read}{% endif %}`],
    ['a variable that is true', `{% if vars.known == true %}${read}{% endif %}`],
    ['a variable that is not false', `{% unless vars.known == false %}${read}{% endunless %}`],
    ['the text of a variable', `{% if vars.state == 'fine' %}${read}{% endif %}`],
    ['two things', `{% if alert.alert_name == 'a' and vars.known %}${read}{% endif %}`],
    ['either of two things', `{% if vars.known or steps.look.status == 'done' %}${read}{% endif %}`],
    ['that neither is so', `{% if not vars.known or alert.alert_name == 'a' %}no{% else %}${read}{% endif %}`],
    ['a test farther outside', `{% if vars.known %}{% for i in (1..2) %}{% if i == 1 %}${read}{% endif %}{% endfor %}{% endif %}`],
    ['that the text has not ended', `{% if steps.look.status == 'failed' %}no{% break %}{% endif %}${read}`],
    ['that the round has not ended', `{% for i in (1..2) %}{% unless vars.known %}{% continue %}{% endunless %}${read}{% endfor %}`],
    ['a default after the default', '{{ inputs.user | default: steps.look.output.name | default: 1 }}'],
    ['the condition of the step', '{% if inputs.asked %}{{ steps.other.output.name }}{% endif %}'],
  ])('%s', (_name, text) => {
    expect(codesIn(text)).toEqual([])
  })
})

describe('in a text, lint does not take a step for done', () => {
  test.each([
    ['in the `else` of a test', `{% if steps.look.output %}a{% else %}${read}{% endif %}`],
    ['after a branch that tests something', `{% if steps.look.output %}a{% elsif alert.alert_name %}${read}{% endif %}`],
    ['in an `unless`', `{% unless steps.look.output %}${read}{% endunless %}`],
    ['after a `not`', `{% if not steps.look.output %}${read}{% endif %}`],
    ['if something else may hold', `{% if steps.look.output or alert.alert_name %}${read}{% endif %}`],
    ['if its output is null', `{% if steps.look.output == nil %}${read}{% endif %}`],
    ['if its output is blank', `{% if steps.look.output == blank %}${read}{% endif %}`],
    ['if its output is not empty, which null is neither', `{% if steps.look.output != empty %}${read}{% endif %}`],
    ['if its output differs from a value', `{% if steps.look.output.name != 'a' %}${read}{% endif %}`],
    ['if a missing value passes the comparison', `{% if steps.look.output.n > -1 %}${read}{% endif %}`],
    ['in another `when` than the one for its status', `{% case steps.look.status %}{% when 'done' %}a{% when 'failed' %}${read}{% endcase %}`],
    ['in the `else` of the `when` for its status', `{% case steps.look.status %}{% when 'done' %}a{% else %}${read}{% endcase %}`],
    ['in a `when` with another value', `{% case steps.look.status %}{% when 'done', 'failed' %}${read}{% endcase %}`],
    ['after the test', `{% if vars.known %}a{% endif %}${read}`],
    ['after a branch that ends a round of a loop', `{% for i in (1..2) %}{% unless vars.known %}{% break %}{% endunless %}{% endfor %}${read}`],
    [
      'if only the own name of the text is tested',
      `{% for steps in vars.list %}{% if steps.look.status == 'done' %}{% endif %}{% else %}${read}{% endfor %}`,
    ],
    ['where a text sets the name only afterwards', `{% capture steps %}${read}{% endcapture %}`],
    ['where a text sets the name in one branch only', `{% if alert.alert_name == 'a' %}{% assign steps = 1 %}{% endif %}${read}`],
    ['if a text that counts as false elsewhere is there', '{% if inputs.user %}{{ steps.other.output.name }}{% endif %}'],
  ])('%s', (_name, text) => {
    expect(codesIn(text)).toContain('step_may_not_have_run')
  })

  test.each([
    ['as an argument of a filter in a test', '{% if "a" | append: steps.look.output.name %}a{% endif %}'],
    ['in brackets in a test', '{% if alert.content[steps.look.output.name] %}a{% endif %}'],
    ['in brackets before a default', '{{ alert.content[steps.look.output.name] | default: 1 }} a'],
    ['in a default that no other one follows', "{{ inputs.user | default: steps.look.output.name | upcase | default: 'a' }} a"],
    ['in brackets in a default', '{{ inputs.user | default: alert.content[steps.look.output.name] | default: 1 }} a'],
    ['as the end of a range in a test', '{% if (1..steps.look.output.n) contains 2 %}a{% endif %}'],
    ['as the end of a range of a loop', '{% for i in (1..steps.look.output.n) %}a{% endfor %}'],
    ['as the limit of a loop', '{% for i in (1..2) limit: steps.look.output.n %}a{% endfor %}'],
    ['after an `and` that is decided', "{% if steps.look.status == 'done' and alert.content[steps.look.output.name] %}a{% endif %}"],
  ])('a missing value is an error %s', (_name, text) => {
    expect(codesIn(text)).toContain('step_may_not_have_run')
  })

  test('and says how to test it', () => {
    const [message] = messagesIn(`${begin}  - id: say\n    case: { note: 'Found ${read}' }\n`, inputs).filter((one) => one.includes('may be missing'))
    expect(message).toContain("give it a default (`| default: …`), or read it inside `{% if steps.look.status == 'done' %}`")
  })

  test('but in the own name of a loop it is something else', () => {
    expect(codesIn('{% for steps in vars.list %}{{ steps.look.output.name }}{% endfor %}')).toEqual([])
  })
})

test('the error of a step that failed is there', () => {
  expect(codesIn("{% if steps.look.status == 'failed' %}{{ steps.look.error.code }}{% endif %}")).toEqual([])
  expect(codesIn("{% case steps.look.status %}{% when 'failed' %}{{ steps.look.error.code }}{% endcase %}")).toEqual([])
  expect(codesIn("{% if steps.look.status == 'done' %}{{ steps.look.error.code }}{% endif %}")).toEqual(['step_error_may_be_missing'])
  expect(codesIn('{% unless vars.known %}{{ steps.look.error.code }}{% endunless %}')).toEqual([])
})

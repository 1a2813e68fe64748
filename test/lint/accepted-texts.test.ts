import { beforeAll, expect, test } from 'vitest'
import type { Json } from '../../runtime/domain/index.ts'
import { lintPlaybook } from '../../runtime/playbook/authoring/index.ts'
import { compilePlaybook } from '../../runtime/playbook/index.ts'
import { openWorld, type World } from '../../runtime/rehearsal/index.ts'
import { rehearse } from '../../runtime/rehearsal/rehearse.ts'
import type { Given } from '../../runtime/rehearsal/types.ts'
import { Dice } from '../engine/support/random-playbook.ts'
import { world as lintWorld } from './world.ts'

let world: World
beforeAll(async () => {
  world = await openWorld({ plugins: [new URL('../../plugins', import.meta.url).pathname], playbooks: [] })
})

const reads = [
  'steps.a.output.userName',
  'steps.b.output.userName',
  'steps.b.output',
  'steps.a.error.code',
  'steps.c.output.userName',
  'vars.late',
  'inputs.text',
]
const tested = [
  'vars.ok',
  'vars.late',
  'vars.word',
  'inputs.flag',
  'inputs.text',
  'steps.a.output',
  'steps.b.output.enabled',
  'steps.b.error',
  'steps.c.output.lastLogin',
]
const constants = ["'done'", "'failed'", "'fine'", 'true', 'false', 'nil', '0', '-1', "''", 'blank', 'empty']

/** Writes random texts that read what may be missing, inside of random tests. */
class RandomText {
  readonly #dice: Dice

  constructor(dice: Dice) {
    this.#dice = dice
  }

  text(depth = 3): string {
    return Array.from({ length: 1 + this.#dice.roll(2) }, () => this.#part(depth)).join(' ')
  }

  #part(depth: number): string {
    const kind = this.#dice.roll(10)
    if (depth === 0 || kind < 3) return `{{ ${this.#dice.one(reads)}${this.#defaults()} }}`
    const inner = (): string => this.text(depth - 1)
    const otherwise = this.#dice.roll(2) === 0 ? `{% else %}${inner()}` : ''
    if (kind < 6)
      return `{% if ${this.#test()} %}${inner()}${this.#dice.roll(3) === 0 ? `{% elsif ${this.#test()} %}${inner()}` : ''}${otherwise}{% endif %}`
    if (kind < 8) return `{% unless ${this.#test()} %}${inner()}${otherwise}{% endunless %}`
    if (kind === 8)
      return `{% case ${this.#value()} %}{% when ${this.#dice.one(constants)} %}${inner()}{% when 'done', 'fine' %}${inner()}${otherwise}{% endcase %}`
    const ends = this.#dice.roll(2) === 0 ? `{% if ${this.#test()} %}${this.#dice.one(['{% break %}', '{% continue %}'])}{% endif %}` : ''
    return `{% for i in (1..2) %}${ends}${inner()}{% endfor %}`
  }

  /** None, or up to three in a row. */
  #defaults(): string {
    const last = this.#dice.roll(2) === 0 ? this.#dice.one(reads) : "'none'"
    const all = Array.from({ length: this.#dice.roll(3) }, () => this.#dice.one(reads))
    return this.#dice.roll(3) > 0 ? '' : [...all, last].map((value) => ` | default: ${value}`).join('')
  }

  #value(): string {
    return this.#dice.roll(2) === 0 ? `steps.${this.#dice.one(['a', 'b', 'c'])}.status` : this.#dice.one(tested)
  }

  #test(depth = 1): string {
    const kind = this.#dice.roll(depth > 0 ? 8 : 5)
    if (kind === 0) return this.#dice.one(tested)
    if (kind < 3)
      return `steps.${this.#dice.one(['a', 'b', 'c'])}.status ${this.#dice.one(['==', '!='])} ${this.#dice.one(["'done'", "'failed'", "'skipped'"])}`
    if (kind === 3) return `${this.#value()} ${this.#dice.one(['==', '!=', '<', '>', '<=', '>=', 'contains'])} ${this.#dice.one(constants)}`
    if (kind === 4) return `not ${this.#dice.one(tested)}`
    return `${this.#test(depth - 1)} ${this.#dice.one(['and', 'or'])} ${this.#test(depth - 1)}`
  }
}

const look = 'skill: mfa.get_mfa_user_details, with: { username: \'{{ inputs.text | default: "ada" }}\' }'
const playbookOf = (text: string): string => `format: 1
playbook: texts
alert_type: texts
inputs: { flag: { type: boolean, from: [content.flag] }, text: { type: string, from: [content.text] } }
steps:
  - { id: begin, set: { ok: true, word: fine } }
  - { id: a, ${look}, on_error: [{ id: broken, set: { ok: false, word: broken } }] }
  - { id: b, if: { or: [{ var: [inputs.flag, false] }, { '!': [{ var: vars.ok }] }] }, ${look}, on_error: continue }
  - { id: c, if: { '==': [{ var: steps.b.status }, done] }, ${look} , on_error: [{ id: end, stop: { outcome: completed } }] }
  - { id: later, if: { '!=': [{ var: [steps.c.output.userName, ''] }, ''] }, set: { late: '{{ steps.c.output.userName }}' } }
  - { id: say, case: { note: ${JSON.stringify(`Note: ${text}`)} } }
`

/** Replaces what lint refuses, until it accepts the playbook. Null: it still does not. */
function accepted(playbook: string): string | null {
  let text = playbook
  for (let round = 0; round < 20; round += 1) {
    const refused = lintPlaybook(text, 'texts.yaml', lintWorld).filter(({ severity }) => severity === 'error')
    if (refused.length === 0) return text
    const lines = text.split('\n')
    for (const { line, column } of refused.toSorted((a, b) => b.column - a.column)) {
      lines[line - 1] = (lines[line - 1] ?? '').replace(/\{\{.*?\}\}|\{% (\w+) .*?%\}/g, (part, tag: string | undefined, at: number) => {
        if (column <= at || column > at + part.length) return part
        return tag === undefined ? 'x' : `{% ${tag} ${tag === 'when' ? 'nil' : 'inputs.flag'} %}`
      })
    }
    text = lines.join('\n')
  }
  return null
}

/** What a run may meet: which calls fail, and what the alert and the answers leave out. */
const met = Array.from({ length: 16 }, (_, number) => {
  const bit = (at: number): boolean => ((number >> at) & 1) === 1
  const content: Json = { ...(bit(2) && { flag: bit(3) }), ...(bit(3) && { text: bit(0) ? '' : 'bob' }) }
  const output: Json = {
    userName: 'ada',
    status: null,
    bypass: 'unknown',
    devices: [],
    errorId: 200,
    ...(bit(1) && { enabled: bit(3), lastLogin: 0 }),
  }
  return { fails: [bit(0), bit(1), bit(0) && bit(1)], content, output }
})

const seeds = Number(process.env['TOCSIN_TEST_SEEDS'] ?? 4)
const first = Number(process.env['TOCSIN_TEST_FIRST_SEED'] ?? 1)

test.each(Array.from({ length: seeds }, (_, index) => first + index))(
  'no text that lint accepts reads a missing value in a run (%i)',
  async (seed) => {
    const dice = new Dice(seed)
    let reading = 0
    for (let count = 0; count < 12; count += 1) {
      const text = accepted(playbookOf(new RandomText(dice).text()))
      if (text === null) continue
      reading += [...text.matchAll(/\{\{ (steps|vars)/g)].length
      const plan = compilePlaybook(text, 'texts.yaml', world.lookup)
      for (const { fails, content, output } of met) {
        let calls = 0
        const answer = (): Given => {
          calls += 1
          return fails[calls - 1] === true ? { kind: 'failed', code: 'user_not_found', message: null, effect: null } : { kind: 'output', output }
        }
        const answers = { answer, verify: () => null }
        const rehearsal = { plan, plugins: world.plugins, alert: { content: JSON.stringify(content) }, now: 1_000_000, connections: {}, answers }
        expect([(await rehearse(rehearsal)).failure?.message, text, content]).toEqual([undefined, text, content])
      }
    }
    expect(reading).toBeGreaterThan(12)
  },
)

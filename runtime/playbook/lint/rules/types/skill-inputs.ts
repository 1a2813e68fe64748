import { isObject, type Json } from '../../../../domain/index.ts'
import * as typing from '../../../../expressions/typing/index.ts'
import { type DocumentPath, hint, type Misspelling, misspelling } from '../../../../yaml/index.ts'
import { type KnownSkill, renaming, scalarAdvice } from '../../../compile/index.ts'
import { callsOf, holdsTemplate, respelling, withFix } from '../../document/index.ts'
import { defineRule, type Report, type Subject } from '../../rule.ts'
import { skillOf, typingOf } from '../../typing/index.ts'

/** Checks the inputs of skills against their schemas: literal values exactly, templates by their types. */
export const skillInputs = defineRule({
  codes: {
    skill_input_invalid: {
      severity: 'error',
      title: 'A value does not fit the input of the skill',
      why: 'The call would be refused before it is sent.',
      wrong: '- id: issues\n  skill: mailsec.get_mailsec_issues\n  with: { max_items: 100000 }',
      right: '- id: issues\n  skill: mailsec.get_mailsec_issues\n  with: { status: open }',
    },
    skill_input_type: {
      severity: 'error',
      title: 'The result of a template never fits the input of the skill',
      why: 'The call would be refused before it is sent, in every run.',
      wrong: "- id: issues\n  skill: mailsec.get_mailsec_issues\n  with: { max_items: '{{ inputs.user }}' }",
      right: "- id: issues\n  skill: mailsec.get_mailsec_issues\n  with: { max_items: '{{ inputs.users | size }}' }",
    },
    skill_input_may_be_missing: {
      severity: 'warning',
      title: 'A required input of the skill may be missing',
      why: 'A missing value is left out of the call. A call without a required input is refused.',
      wrong:
        "inputs: { host: { type: string, from: [content.host] } }\nsteps:\n  - id: look\n    skill: mfa.get_mfa_user_details\n    with: { username: '{{ inputs.host }}' }",
      right:
        "inputs: { host: { type: string, from: [content.host] } }\nsteps:\n  - id: look\n    if: { '!=': [{ var: [inputs.host, ''] }, ''] }\n    skill: mfa.get_mfa_user_details\n    with: { username: '{{ inputs.host }}' }",
    },
    skill_input_other_kind: {
      severity: 'warning',
      title: 'An input gets the identifier of something else',
      why: 'Both are text, but the system will not find one by the identifier of the other.',
      wrong:
        "- id: issues\n  skill: mailsec.get_mailsec_issues\n- id: each\n  foreach: '{{ steps.issues.output.issues }}'\n  max_items: 50\n  steps:\n    - id: message\n      skill: mailsec.get_mailsec_message\n      with: { message_id: '{{ item.id }}' }",
      right:
        "- id: issues\n  skill: mailsec.get_mailsec_issues\n- id: each\n  foreach: '{{ steps.issues.output.issues }}'\n  max_items: 50\n  steps:\n    - id: issue\n      skill: mailsec.get_mailsec_issue\n      with: { issue_id: '{{ item.id }}' }",
    },
  },
  check(subject, report) {
    for (const [step, state] of subject.flow.entering) {
      if (!state.reachable) continue
      const environment = typingOf(subject).at(step, state)
      for (const { skill, value, path } of callsOf(step)) {
        const known = skillOf(subject.world, skill)
        if (known === null || !isObject(value)) continue
        checkWritten(known, value, path, subject.document, report)
        checkTypes(known, value, path, { subject, report, environment })
      }
    }
  },
})

/** Keywords about several fields together. Some of these fields may be templates. */
const together = new Set(['required', 'dependentRequired', 'dependentSchemas', 'false schema', 'anyOf', 'oneOf', 'allOf', 'not', 'minProperties'])

function checkWritten(
  skill: KnownSkill,
  given: Readonly<Record<string, Json>>,
  path: DocumentPath,
  document: Subject['document'],
  report: Report<'skill_input_invalid'>,
): void {
  const written = Object.fromEntries(Object.entries(given).filter(([, value]) => !holdsTemplate(value)))
  for (const { path: field, keyword, message } of skill.inputFaults?.(written) ?? []) {
    const [name] = field
    if (name === undefined || !Object.hasOwn(written, name)) continue
    // The compiler reports missing and unknown inputs.
    if (field.length === 1 && (together.has(keyword) || keyword === 'additionalProperties')) continue
    const place = [...path, ...placeIn(written, field)]
    const meant = keyword === 'enum' || keyword === 'const' ? meantBy(skill, written, field) : null
    const scalar = scalarAdvice(valueAt(written, field), keyword === 'type' ? message : '', writtenAt(document, place))
    const fix = respelling(document, place, 0, meant?.misspelt) ?? renaming(document, place, 'value', scalar.misspelt)
    report.at('skill_input_invalid', place, `${message}${meant?.hint ?? scalar.told}`, withFix(fix))
  }
}

function writtenAt(document: Subject['document'], path: DocumentPath): string {
  const span = document.span(path)
  return span === null ? '' : document.text.slice(span.start, span.end)
}

function valueAt(value: Json, field: readonly string[]): Json {
  return field.reduce<Json>(
    (at, part) => (typeof at === 'object' && at !== null ? ((at as Readonly<Record<string, Json>>)[part] ?? null) : null),
    value,
  )
}

/** Returns the allowed word that was probably meant. */
function meantBy(
  { document }: KnownSkill,
  written: Json,
  field: readonly string[],
): { readonly hint: string; readonly misspelt?: Misspelling } | null {
  let value: Json | undefined = written
  let type = typing.typeOfSchema(document.input)
  for (const part of field) {
    type = (Array.isArray(value) ? type.list?.items : (type.object?.fields.get(part) ?? type.object?.rest)) ?? typing.any
    value = (value as Readonly<Record<string, Json>> | undefined)?.[part]
  }
  const allowed = type.text?.values ?? []
  return typeof value === 'string' ? { hint: hint(value, allowed), ...misspelling(value, allowed) } : null
}

/** Returns the path in the file, as far as the value exists. List indexes become numbers. */
function placeIn(value: Json, field: readonly string[]): DocumentPath {
  const path: (string | number)[] = []
  let at: Json | undefined = value
  for (const part of field) {
    const key: string | number = Array.isArray(at) ? Number(part) : part
    at = (at as Readonly<Record<string, Json>> | undefined)?.[key]
    if (at === undefined) break
    path.push(key)
  }
  return path
}

interface Sight {
  readonly subject: Subject
  readonly report: Report<'skill_input_type' | 'skill_input_may_be_missing' | 'skill_input_other_kind'>
  readonly environment: typing.Environment
}

function checkTypes(
  { document }: KnownSkill,
  given: Readonly<Record<string, Json>>,
  path: DocumentPath,
  { subject, report, environment }: Sight,
): void {
  const needed = typing.typeOfSchema(document.input)
  for (const [name, value] of Object.entries(given)) {
    const target = needed.object?.fields.get(name)
    if (target === undefined || !holdsTemplate(value)) continue
    const at = [...path, name]
    const { type } = typing.typeOfTemplate(value, environment, subject.world.filters())
    if (target.absence === 'no' && type.absence === 'maybe') {
      const told = `\`${name}\` is required, and this may be missing; the call would be refused: give it a default, or check it in an \`if\` first`
      report.inside('skill_input_may_be_missing', at, firstRead(value), told)
    }
    const found = typing.fitOf(type, target)
    if (found.fits === 'never') {
      const field = [name, ...found.misfit.path].join('.')
      report.at('skill_input_type', [...at, ...placeIn(value, found.misfit.path)], `\`${field}\` ${found.misfit.message}`)
    } else checkKind(type, target, name, at, report)
  }
}

/** Returns the offset of the first value in a template. */
function firstRead(value: Json): number {
  return typeof value === 'string' ? (/^\s*\{\{-?\s*/.exec(value)?.[0].length ?? 0) : 0
}

/** All identifiers of a system are text, but an identifier of one kind of thing does not find another kind. */
function checkKind(type: typing.Type, target: typing.Type, name: string, at: DocumentPath, report: Report<'skill_input_other_kind'>): void {
  const given = type.text?.semantic ?? null
  const needed = target.text?.semantic ?? null
  if (given === null || needed === null || given === needed || !isOneId(given) || !isOneId(needed)) return
  report.at('skill_input_other_kind', at, `\`${name}\` is a ${words(needed)}, and this is a ${words(given)}`)
}

/** Returns whether it identifies exactly one kind of thing. A record may be a user, so ids of records and users fit each other. */
function isOneId(semantic: string): boolean {
  return semantic.endsWith('_id') && !semantic.endsWith('record_id') && !semantic.endsWith('user_id')
}

function words(semantic: string): string {
  return semantic.replaceAll('_', ' ')
}

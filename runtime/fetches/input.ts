import type { Json } from '../domain/index.ts'
import { TocsinError } from '../errors/index.ts'
import { compileValue, ExpressionError } from '../expressions/index.ts'
import type { Window } from './window.ts'

/** The input of a fetch's skill, ready to be rendered. */
export interface FetchInput {
  /** Whether it reads `until`, so that one attempt can ask for a part of the time. */
  readonly bounded: boolean
  /** @throws TocsinError `template_failed`, `evaluation_exceeded` */
  render(window: Window): Json
}

const roots: ReadonlySet<string | undefined> = new Set(['since', 'until'])

/**
 * Compiles the input. Its templates may read `since` and `until`, each as `iso`, `seconds` and `milliseconds`.
 * @throws TocsinError `fetch_invalid`, with a place for each mistake
 */
export function compileInput(input: Readonly<Record<string, Json>>): FetchInput {
  const template = compiled(input)
  const wrong = template.sites.filter(({ path: [root, form, ...rest] }) => !roots.has(root) || !forms.has(form) || rest.length > 0)
  if (wrong.length > 0) {
    const places = wrong.map(({ path, at }) => ({ field: ['input', ...at].join('.'), message: `${path.join('.')} does not exist. ${known}` }))
    throw new TocsinError('fetch_invalid', places.map(({ field, message }) => `${field}: ${message}`).join(' '), places)
  }
  return {
    bounded: template.reads.some(([root]) => root === 'until'),
    render: ({ since, until }) => template.render({ since: timeForms(since), until: timeForms(until) }) ?? {},
  }
}

const known = 'A template can read since.iso, since.seconds, since.milliseconds, and the same of until.'
const forms: ReadonlySet<string | undefined> = new Set(['iso', 'seconds', 'milliseconds'])

function timeForms(time: number): Json {
  return { iso: new Date(time).toISOString(), seconds: Math.floor(time / 1_000), milliseconds: time }
}

function compiled(input: Readonly<Record<string, Json>>): ReturnType<typeof compileValue> {
  try {
    return compileValue(input)
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error
    const places = error.places.map(({ field, message }) => ({ field: field === '' ? 'input' : `input.${field}`, message }))
    throw new TocsinError('fetch_invalid', places.map(({ field, message }) => `${field}: ${message}`).join(' '), places)
  }
}

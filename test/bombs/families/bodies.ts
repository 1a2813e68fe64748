import { type Bomb, requestBomb } from '../bomb.ts'
import { alertOf, tenants } from '../range.ts'
import { fieldsOf, listOf, mebibyte, wordsOf } from './parts.ts'

/** Returns nested lists, as text. */
function deep(levels: number): string {
  return `${'['.repeat(levels)}1${']'.repeat(levels)}`
}

const most = 15.9 * mebibyte

function post(name: string, body: () => string, ...comes: readonly string[]): Bomb {
  return requestBomb(`body: ${name}`, () => ({ method: 'POST', path: '/platformapi/alerts', body: body() }), ...comes)
}

function batch(name: string, body: () => string, ...comes: readonly string[]): Bomb {
  return requestBomb(`batch: ${name}`, () => ({ method: 'POST', path: '/platformapi/alerts/batch', body: body() }), ...comes)
}

const alertsOf = (count: number, content: string): string =>
  JSON.stringify({ alerts: Array.from({ length: count }, (_, at) => alertOf(tenants.attacker, null, `${at} ${content}`)) })

export const bodies: readonly Bomb[] = [
  post('100,000 nested lists', () => deep(100_000), 'refused body_too_deep'),
  post('20,000 fields', () => fieldsOf(20_000), 'refused field_unknown'),
  post('90,000 fields', () => fieldsOf(90_000), 'refused body_too_many_values'),
  post('a type of a megabyte', () => JSON.stringify({ ...alertOf(tenants.attacker, 't'.repeat(900_000), 'x') }), 'refused body_invalid'),
  batch('1,000 alerts of many words', () => alertsOf(1_000, wordsOf(2_500)), 'answered'),
  batch('15 alerts of a megabyte of lists', () => alertsOf(15, listOf('[]', 900_000)), 'answered'),
  batch('15 alerts of quotes', () => alertsOf(15, '"'.repeat(450_000)), 'answered'),
  batch('1,000 alerts of 100 fields', () => `{"alerts":${listOf(fieldsOf(100), 800_000)}}`, 'answered', 'refused body_invalid'),
  batch('eight million numbers', () => `{"alerts":${listOf('0', most)}}`, 'refused body_too_many_values'),
  batch('five million objects', () => `{"alerts":${listOf('{}', most)}}`, 'refused body_too_many_values'),
  batch('16 MiB of line feeds', () => `${'\n'.repeat(most)}x`, 'refused body_not_json'),
  batch('16 MiB of one text', () => `"${'\\u0041'.repeat(most / 6 - 1)}"`, 'refused body_invalid'),
  batch('16 million nested lists', () => '['.repeat(most), 'refused body_too_deep'),
  batch('one field, repeated', () => `{${'"a":1,'.repeat(190_000)}"a":1}`, 'refused field_repeated'),
  requestBomb(
    'query: 50 types of 250 characters',
    () => ({ method: 'GET', path: `/platformapi/alerts?${`type=${'x'.repeat(250)}&`.repeat(50)}q=a` }),
    'answered',
    'refused headers_too_large',
  ),
  requestBomb(
    'query: 1,500 characters that normalize to eighteen',
    () => ({ method: 'GET', path: `/platformapi/alerts?q=${'%EF%B7%BA'.repeat(1_500)}` }),
    'refused query_invalid',
  ),
  requestBomb('query: a word of one letter, and a page of 1,000', () => ({ method: 'GET', path: '/platformapi/alerts?limit=1000&q=w' }), 'answered'),
]

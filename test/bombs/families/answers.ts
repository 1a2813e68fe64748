import { gzipSync } from 'node:zlib'
import type { Reply } from '../../simulators/faults.ts'
import { type Bomb, runBomb } from '../bomb.ts'
import { fieldsOf, listOf, mebibyte } from './parts.ts'

const most = 20 * mebibyte - 1_024

/** Makes a bomb whose run reads one answer of the target system. */
function answerBomb(name: string, reply: () => string | Reply, ...comes: readonly string[]): Bomb {
  return runBomb(
    `answer: ${name}`,
    () => ({
      playbook: `steps:\n  - id: read\n    skill: target.fetch\n    with: { name: '${name}' }\n`,
      answers: { [name]: reply() },
    }),
    // On a busy machine, the request may time out before all 20 MiB arrive, or this process may be too slow for the TLS handshake.
    ...comes,
    'failed call_timeout',
    'failed network',
  )
}

const unread = 'failed answer_not_understood'
const large = 'failed output_too_large'

export const answers: readonly Bomb[] = [
  answerBomb('ten million numbers', () => `{"a":${listOf('0', most)}}`, unread),
  answerBomb('seven million objects', () => `{"a":${listOf('{}', most)}}`, unread),
  answerBomb('two million fields', () => fieldsOf(1_400_000), unread),
  answerBomb('fields with numbers for names', () => fieldsOf(1_400_000).replaceAll('"k', '"'), unread),
  answerBomb('objects that share no fields', () => `{"a":[${Array.from({ length: 300_000 }, (_, at) => `{"k${at}":0}`).join(',')}]}`, large),
  answerBomb('ten million nested lists', () => `${'['.repeat(most / 2)}${']'.repeat(most / 2)}`, unread),
  answerBomb('lists of 190 levels, repeated', () => `{"a":${listOf('['.repeat(190) + ']'.repeat(190), most)}}`, unread),
  answerBomb('900,000 values within the bounds', () => `{"a":${listOf('"xxxxxxxxxxxxxxxxxxx"', most)}}`, large),
  answerBomb('one text of 20 MiB', () => `{"a":"${'a'.repeat(most - 10)}"}`, large),
  answerBomb('a text of escapes', () => `{"a":"${'\\u0041'.repeat(3_400_000)}"}`, 'completed'),
  answerBomb('a text of escaped quotes', () => `{"a":"${'\\"'.repeat(10_000_000)}"}`, large),
  answerBomb('characters of two UTF-16 units', () => `{"a":"${'😀'.repeat(5_000_000)}"}`, large),
  answerBomb('a number of a million digits', () => `{"a":${'7'.repeat(1_000_000)}}`, 'completed'),
  answerBomb('a number of 20 million digits', () => `{"a":${'7'.repeat(most - 10)}}`, unread),
  answerBomb('numbers that no double holds', () => `{"a":${listOf('12345678901234567890', most)}}`, large),
  answerBomb('the same field a million times', () => `{${'"a":1,'.repeat(1_000_000)}"a":1}`, unread),
  answerBomb('fields called __proto__', () => `{${'"__proto__":{},'.repeat(19_000)}"a":1}`, 'completed'),
  answerBomb('20 MiB of white space', () => `{${' '.repeat(most - 10)}"a":1}`, 'completed'),
  answerBomb('JSON that never ends', () => '['.repeat(most), unread),
  answerBomb('the secret, half a million times', () => `{"a":"${'token-of-MALLORY '.repeat(1_000_000)}"}`, large),
  answerBomb('a text that is almost the secret', () => `{"a":"${'token-of-MALLOR '.repeat(1_300_000)}"}`, large),
  answerBomb(
    'a page of unclosed title tags',
    () => ({ status: 200, headers: { 'content-type': 'text/html' }, body: `<html>${'<title'.repeat(3_400_000)}` }),
    unread,
  ),
  answerBomb(
    'an error page of 20 MiB',
    () => ({ status: 500, headers: { 'content-type': 'text/html' }, body: `<html>${'<p>'.repeat(6_900_000)}` }),
    'failed vendor_unavailable',
  ),
  answerBomb(
    '900 headers',
    () => ({ status: 200, headers: Object.fromEntries(Array.from({ length: 900 }, (_, at) => [`x-${at}`, 'v'])), body: '{}' }),
    'completed',
  ),
  answerBomb(
    'compressed without being asked',
    () => ({ status: 200, headers: { 'content-encoding': 'gzip' }, body: gzipSync('0'.repeat(100 * mebibyte)).toString('latin1') }),
    unread,
  ),
  answerBomb(
    'two million chunks of one byte',
    () => ({
      status: 200,
      body: '',
      chunks: function* () {
        for (let at = 0; at < 2_000_000; at += 1) yield ' '
        yield '{}'
      },
    }),
    'completed',
    'failed call_timeout',
  ),
]

import { expect, test } from 'vitest'
import { tocsinProcess } from '../../../test/rehearsal/command.ts'

test.each([
  [
    'a missing argument',
    ['case', 'show'],
    "error: missing required argument 'id'\nUsage: tocsin case show [options] <id>\nSee `tocsin case show --help`.\n",
  ],
  [
    'a missing option',
    ['alert', 'post'],
    "error: required option '--organization <code>' not specified\nUsage: tocsin alert post [options] --organization <code> --provider <code> <file>\nSee `tocsin alert post --help`.\n",
  ],
  [
    'an unknown command',
    ['case', 'shw', 'x'],
    "error: unknown command 'shw'\n(Did you mean show?)\nUsage: tocsin case [options] [command]\nSee `tocsin case --help`.\n",
  ],
  [
    'an unknown option',
    ['playbook', 'lint', '--fixx'],
    "error: unknown option '--fixx'\n(Did you mean --fix?)\nUsage: tocsin playbook lint [options] [paths...]\nSee `tocsin playbook lint --help`.\n",
  ],
  [
    'an option before the command',
    ['--url', 'http://127.0.0.1:1', 'case', 'list'],
    "error: unknown option '--url'\nOptions go after the command that they are for: tocsin <command> --url …\nUsage: tocsin [options] [command]\nSee `tocsin --help`.\n",
  ],
  [
    'an option between the words of a command',
    ['case', '--json', 'list'],
    "error: unknown option '--json'\nOptions go after the command that they are for: tocsin case <command> --json …\nUsage: tocsin case [options] [command]\nSee `tocsin case --help`.\n",
  ],
  [
    'a request for the help of an unknown command',
    ['help', 'case-list'],
    "error: unknown command 'case-list'\nUsage: tocsin [options] [command]\nSee `tocsin --help`.\n",
  ],
  [
    'a request for the help of a misspelt command',
    ['help', 'plugn'],
    "error: unknown command 'plugn'\n(Did you mean plugin?)\nUsage: tocsin [options] [command]\nSee `tocsin --help`.\n",
  ],
  [
    'a request for the help of an unknown command of a group',
    ['help', 'case', 'shw'],
    "error: unknown command 'shw'\n(Did you mean show?)\nUsage: tocsin case [options] [command]\nSee `tocsin case --help`.\n",
  ],
  [
    'an unknown command of a group, with --help',
    ['case', 'shw', '--help'],
    "error: unknown command 'shw'\n(Did you mean show?)\nUsage: tocsin case [options] [command]\nSee `tocsin case --help`.\n",
  ],
])('%s: the error says what is wrong, how to write it and where to read more', async (_what, words, said) => {
  const { out, err } = await tocsinProcess(...words)
  expect([out, err]).toEqual(['', said])
})

test.each([
  ['help', 'case', 'show'],
  ['case', 'help', 'show'],
  ['case', 'show', '--help'],
  ['help', 'playbook', 'lint'],
])('%s %s %s shows the help of that command', async (...words) => {
  const { code, out } = await tocsinProcess(...words)
  expect([code, out]).toEqual([0, expect.stringContaining(`Usage: tocsin ${words.filter((word) => !/help/.test(word)).join(' ')} [options]`)])
})

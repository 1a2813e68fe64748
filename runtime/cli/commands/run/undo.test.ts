import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { stripVTControlCharacters } from 'node:util'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { buildProgram } from '../../index.ts'

const write = { step: 'suspend', skill: 'mfa.suspend_mfa_user', target: 'ada', connection: 'mfa' }
const step = { undoes: write, skill: 'mfa.activate_mfa_user', impact: 'write', targets: ['ada'], connection: 'mfa', input: {} }
const planned = { run_id: 'x-r1', plan: { digest: 'd', steps: [{ ...step, held: null }], left: [] }, undo: null }
const begun = {
  run_id: 'x-r1',
  plan: null,
  undo: { run: { run_id: 'x-r1-u1', state: 'running', error: null }, steps: [{ ...step, step: 'undo-1', outcome: 'pending' }], left: [] },
}
/** The methods of the requests, in order. */
let seen: string[]
let server: Server
let answers: Record<string, (response: ServerResponse, times: number, url: string) => void>
const told: string[] = []

const json = (response: ServerResponse, body: unknown): void => void response.setHeader('connection', 'close').end(JSON.stringify(body))
const cut = (response: ServerResponse): void => void response.socket?.destroy()

beforeEach(async () => {
  seen = []
  told.length = 0
  server = createServer((request, response) => {
    seen.push(String(request.method))
    answers[String(request.method)]?.(response, seen.filter((method) => method === request.method).length, String(request.url))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  vi.spyOn(console, 'error').mockImplementation((line: string) => void told.push(line))
})
afterEach(async () => {
  vi.restoreAllMocks()
  process.exitCode = 0
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})

async function undo(...words: string[]): Promise<unknown> {
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const program = await buildProgram('run')
  return program.parseAsync(['run', 'undo', 'x-r1', '--url', url, '--key', 'k', ...words], { from: 'user' })
}

test('if the server is lost while the command follows the undo, it says that the undo continues and how to look at it', async () => {
  answers = { GET: (response, times) => (times === 1 ? json(response, planned) : cut(response)), POST: (response) => json(response, begun) }
  await expect(undo('--yes')).rejects.toMatchObject({ code: 'server_unreachable' })
  expect(told.at(-1)).toBe('The undo has been requested and continues without this command. To see its progress: tocsin run undo x-r1 --plan')
})

test.each([
  ['before the answer', cut],
  [
    'in the middle of the answer',
    (response: ServerResponse) => void response.writeHead(202, { 'content-length': '99' }).write('{', () => cut(response)),
  ],
])('if the server is lost %s of the undo request, the command says that the undo may have begun', async (_when, lose) => {
  answers = { GET: (response) => json(response, planned), POST: lose }
  await expect(undo('--yes')).rejects.toMatchObject({ code: 'server_unreachable' })
  expect(told.at(-1)).toMatch(/^The undo may have begun\. .*tocsin run undo x-r1 --plan/)
})

test('the command stops following an undo that a pause holds, and names the pause', async () => {
  const held = { ...begun, undo: { ...begun.undo, run: { ...begun.undo.run, state: 'waiting' } } }
  const pause = { id: 'p', what: 'everything', paused_at: 0, paused_by: 'ada', reason: 'drill' }
  answers = {
    GET: (response, times, url) =>
      json(response, url.endsWith('x-r1-u1') ? { waiting: { decisions: [] }, pauses: [pause] } : times === 1 ? planned : held),
    POST: (response) => json(response, held),
  }
  vi.spyOn(console, 'log').mockImplementation(() => undefined)
  await undo('--yes')
  expect(process.exitCode).toBe(1)
  expect(stripVTControlCharacters(String(told.at(-1)))).toBe(
    'The undo is paused, and continues when somebody resumes it:\n  held everything, paused since 1970-01-01 00:00:00 by ada: drill · tocsin resume p',
  )
})

test('with --json and without --yes, the command does not ask and does nothing', async () => {
  answers = { GET: (response) => json(response, planned) }
  await expect(undo('--json')).rejects.toMatchObject({ code: 'write_not_confirmed', message: expect.stringContaining('add --yes') })
  expect(seen).toEqual(['GET'])
})

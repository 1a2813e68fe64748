import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { editorSchema, integrationsOf, namesIn } from '../../runtime/playbook/authoring/index.ts'
import { loadPluginFolders } from '../../runtime/plugin/index.ts'
import { parseYaml } from '../../runtime/yaml/index.ts'
import { type Editor, openEditor } from '../support/processes/language-server.ts'

/** Runs the language server that editors use, with the schemas that Tocsin makes. */
const root = new URL('../../', import.meta.url)
const head = 'format: 1\nplaybook: a\nalert_type: t\nsteps:\n'
const directory = mkdtempSync(join(tmpdir(), 'tocsin-editor-'))
let shipped: Editor
let own: Editor

beforeAll(async () => {
  shipped = await openEditor(new URL('schemas/playbook.schema.json', root).pathname)
  const written = [
    'playbook: contain-user\ninputs: { user: { type: string, required: true, description: Whose account. } }\nconnections: { idp: { integration: mfa } }\nsteps: [{ id: lock, stop: { outcome: completed } }]',
    'playbook: leak\nalert_type: leak\nsteps: [{ id: ask, if: true, then: [{ id: inner, set: { a: 1 } }] }]',
  ].map((text) => parseYaml(text, 'written.yaml').value)
  const integrations = integrationsOf(await loadPluginFolders([new URL('plugins', root).pathname]))
  const file = join(directory, 'own.schema.json')
  writeFileSync(file, JSON.stringify(editorSchema({ integrations, ...namesIn(written) })))
  own = await openEditor(file)
})
afterAll(() => {
  shipped?.close()
  own?.close()
  rmSync(directory, { recursive: true, force: true })
})

describe('completes', () => {
  test('the keys of a playbook, and of a step without a kind', async () => {
    expect(await shipped.complete('¦')).toEqual(expect.arrayContaining(['playbook', 'alert_type', 'inputs', 'connections', 'steps', 'verdict']))
    expect(await shipped.complete(`${head}  - id: a\n    ¦`)).toEqual(
      expect.arrayContaining(['skill', 'set', 'if', 'foreach', 'case', 'stop', 'on_error']),
    )
  })

  test('the keys of a kind, and of no other kind', async () => {
    const keys = await shipped.complete(`${head}  - id: a\n    skill: mfa.get_mfa_user_details\n    with: { username: x }\n    ¦`)
    expect(keys.toSorted()).toEqual(['connection', 'if', 'on_error', 'retry', 'timeout'])
  })

  test('skills, also in nested steps', async () => {
    const skills = await shipped.complete(`${head}  - id: a\n    foreach: [1]\n    steps:\n      - id: b\n        skill: ¦`)
    expect(skills).toEqual(expect.arrayContaining(['mfa.suspend_mfa_user', 'crm.execute_crm_query', 'mailsec.get_mailsec_issues']))
  })

  test("a skill's inputs", async () => {
    const inputs = await shipped.complete(`${head}  - id: a\n    skill: mfa.get_mfa_user_details\n    with:\n      ¦`)
    expect(inputs).toEqual(expect.arrayContaining(['username', 'same_device_users']))
    expect(await shipped.complete(`${head}  - id: a\n    skill: mfa.toggle_mfa_user_bypass\n    with:\n      username: x\n      bypass: ¦`)).toEqual(
      expect.arrayContaining(['enabled', 'disabled']),
    )
  })

  test('integrations, error codes and operators', async () => {
    expect(await shipped.complete(`${head.replace('steps:\n', '')}connections:\n  idp:\n    integration: ¦`)).toEqual(
      expect.arrayContaining(['browser', 'crm', 'mailsec', 'mfa']),
    )
    const codes = `${head}  - id: a\n    skill: mfa.get_mfa_user_details\n    with: { username: x }\n    retry:\n      attempts: 2\n      on:\n        - ¦`
    expect(await shipped.complete(codes)).toEqual(expect.arrayContaining(['network', 'rate_limited', 'user_not_found']))
    expect(await shipped.complete(`${head}  - id: a\n    stop: { outcome: completed }\n    if:\n      ¦`)).toEqual(
      expect.arrayContaining(['and', 'var', 'matches', 'cidr_contains']),
    )
  })

  test('sub-playbooks, and the steps that an approval may cover', async () => {
    expect(await own.complete(`${head}  - id: a\n    playbook: ¦`)).toContain('contain-user')
    const covers = await own.complete(`${head}  - id: a\n    approve:\n      title: x\n      covers: ¦`)
    expect(covers).toEqual(expect.arrayContaining(['ask', 'inner', 'lock']))
    expect(await own.complete(`${head}  - id: a\n    approve:\n      title: x\n      covers:\n        - ¦`)).toEqual(
      expect.arrayContaining(['inner']),
    )
    const poll = `${head}  - id: a\n    wait:\n      every: 1m\n      poll:\n        skill: ¦`
    expect(await own.complete(poll)).toContain('mfa.get_mfa_user_details')
  })

  test('the inputs of a sub-playbook', async () => {
    expect(await own.complete(`${head}  - id: a\n    playbook: contain-user\n    with:\n      ¦`)).toContain('user')
    expect(await shipped.complete(`${head}  - id: a\n    playbook: look-up-user\n    with:\n      ¦`)).toContain('user')
  })

  test('both forms of a switch case, then only the chosen one, and every way to wait', async () => {
    expect(await shipped.complete(`${head}  - id: a\n    switch:\n      - ¦`)).toEqual(expect.arrayContaining(['when', 'default', 'steps']))
    expect(await shipped.complete(`${head}  - id: a\n    switch:\n      - default: true\n        ¦`)).not.toContain('when')
    expect(await shipped.complete(`${head}  - id: a\n    wait:\n      ¦`)).toEqual(
      expect.arrayContaining(['for', 'until', 'poll', 'every', 'at_most']),
    )
    expect(await shipped.complete(`${head}  - ¦`)).toEqual(expect.arrayContaining(['id', 'skill', 'stop', 'approve']))
  })

  test('the slots of other playbooks', async () => {
    expect(await own.complete(`${head}  - id: a\n    skill: mfa.get_mfa_user_details\n    with: { username: x }\n    connection: ¦`)).toContain('idp')
  })
})

describe('reports mistakes', () => {
  test.each<[string, string, number, string]>([
    ['a misspelt input', '  - id: a\n    skill: mfa.get_mfa_user_details\n    with: { user_name: x }\n', 6, 'user_name'],
    ['a missing input', '  - id: a\n    skill: mfa.get_mfa_user_details\n    with: {}\n', 6, 'username'],
    [
      'a value that an input does not accept',
      '  - id: a\n    skill: mfa.toggle_mfa_user_bypass\n    with: { username: x, bypass: on }\n',
      6,
      'enabled',
    ],
    ['a misspelt key of a step', '  - id: a\n    stop: { outcome: completed }\n    onerror: fail\n', 6, 'onerror'],
    ['a misspelt operator', '  - id: a\n    if: { mtches: [a, b] }\n    stop: { outcome: completed }\n', 5, 'mtches'],
    ['a step without a kind', '  - id: a\n    skil: x\n', 5, 'skil'],
  ])('%s', async (_, steps, line, word) => {
    const found = await shipped.diagnose(head + steps)
    expect(found.filter((one) => one.line === line && one.message.includes(word))).not.toEqual([])
  })

  test('none in a good playbook or in a skill of an unknown plugin', async () => {
    const step =
      "  - id: a\n    skill: mfa.toggle_mfa_user_bypass\n    with: { username: '{{ inputs.x }}', bypass: '{{ inputs.y }}', until: '{{ run.now | plus: 1 }}' }\n"
    expect(await shipped.diagnose(`${head}${step}`)).toEqual([])
    expect(await shipped.diagnose(`${head}  - id: a\n    skill: own.do_it\n    with: { anything: [1, { a: b }] }\n`)).toEqual([])
  })
})

test('explains a skill', async () => {
  expect(await shipped.hover(`${head}  - id: a\n    skill: mfa.sus¦pend_mfa_user\n    with: { username: x }\n`)).toContain(
    'Temporarily prevent the user from authenticating',
  )
})

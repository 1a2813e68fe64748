import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { Json } from '../../runtime/domain/index.ts'
import { generatePlaybook, lintPlaybook, lintWorld } from '../../runtime/playbook/authoring/index.ts'
import { compilePlaybook, type Plan, type PlanStep, readInputs } from '../../runtime/playbook/index.ts'
import { loadPluginFolders } from '../../runtime/plugin/index.ts'

/** Generates playbooks with the shipped plugins, for alerts as sources send them and for random alerts. */
const root = new URL('../../', import.meta.url)
const plugins = await loadPluginFolders([new URL('plugins', root).pathname])
const world = lintWorld(new Map(plugins.map((plugin) => [plugin.id, plugin])))
const connected = new Set(['mfa'])

function generate(content: string): { readonly text: string; readonly plan: Plan } {
  const text = generatePlaybook({ type: 'odd', content, integrations: plugins, connected })
  return { text, plan: compilePlaybook(text, 'generated.yaml', world) }
}

function* every(steps: readonly PlanStep[]): Generator<PlanStep> {
  for (const step of steps) {
    yield step
    for (const inner of Object.values(step)) if (Array.isArray(inner)) yield* every(inner as readonly PlanStep[])
  }
}

function callsOf({ steps }: Plan): string[] {
  return [...new Set([...every(steps)].flatMap((step) => (step.kind === 'skill' ? [`${step.integration}.${step.skill}`] : [])))].sort()
}

const impactOf = (call: string): string | undefined => {
  const [integration = '', skill = ''] = call.split('.')
  return world.skill(integration, skill)?.impact
}

const user = [
  'browser.list_browser_accounts',
  'crm.get_crm_setup_audit_trail',
  'mailsec.get_mailsec_trusted_entities',
  'mailsec.list_mailsec_accounts',
]
const address = [...user, 'mailsec.search_mailsec_messages', 'mfa.get_mfa_user_details'].sort()

test.each<[string, string, readonly string[], readonly string[]]>([
  [
    'an identity provider',
    JSON.stringify({
      eventType: 'user.session.start',
      severity: 'WARN',
      actor: { id: '00u1', alternateId: 'ada@acme.example', displayName: 'Ada' },
      client: { ipAddress: '203.0.113.9', geographicalContext: { country: 'NZ' } },
      target: [{ id: 't1', type: 'AppInstance', displayName: 'VPN' }],
    }),
    ['alternate_id', 'ip_address'],
    address,
  ],
  [
    'an EDR',
    JSON.stringify({
      detection: { name: 'Credential dumping', severity: 'Critical' },
      device: { hostname: 'pc17.acme.example', device_id: 'd-81', local_ip: '10.1.2.3' },
      user_name: 'ACME\\ada',
      process: { sha256: 'a'.repeat(64), cmdline: 'mimikatz.exe "privilege::debug"', parent: { md5: 'b'.repeat(32) } },
    }),
    ['severity', 'hostname', 'device_id', 'local_ip', 'user_name', 'process_sha256', 'md5'],
    ['crm.get_crm_setup_audit_trail', 'mailsec.get_mailsec_trusted_entities', 'mfa.get_mfa_user_details'],
  ],
  [
    'e-mail security, with lists of objects',
    JSON.stringify({
      issue: { id: 'iss.1.abc', severity: 'high' },
      messages: [
        { id: 'msg.1.a', sender: 'eve@bad.example', recipients: ['ada@acme.example', 'bob@acme.example'], urls: ['https://bad.example/login'] },
        { id: 'msg.1.b', sender: 'eve@bad.example', recipients: ['carol@acme.example'] },
      ],
    }),
    ['issue_id', 'severity', 'message_id', 'sender', 'recipients', 'recipients_2', 'message_url'],
    [...address, 'mailsec.get_mailsec_issue', 'mailsec.get_mailsec_message', 'mailsec.list_mailsec_issue_messages'].sort(),
  ],
  [
    'a log line',
    'Nov  1 09:04:11 vpn-gw1 sshd[2211]: Failed password for invalid user backup from 203.0.113.77 port 52211 ssh2',
    ['ip'],
    ['mailsec.get_mailsec_trusted_entities'],
  ],
  [
    'key=value text',
    'date=2026-11-01 devname="fw1" user="ada@acme.example" srcip=198.51.100.7 url="https://bad.example/a?b=c" msg="blocked" severity=high',
    ['user', 'srcip', 'url', 'severity'],
    address,
  ],
  [
    'the browser platform',
    '{"employeeId":"e-1","findingId":"f-1","app":{"id":"a-1"}}',
    ['employee_id', 'finding_id', 'app_id'],
    ['browser.get_browser_app', 'browser.get_browser_employee', 'browser.get_browser_finding', 'browser.list_browser_accounts'],
  ],
  ['nothing of use', '{"count":3,"ok":true,"nothing":null,"words":["a","b"]}', [], []],
])('the alert of %s', (_, content, inputs, calls) => {
  const { plan, text } = generate(content)
  expect(lintPlaybook(text, `${plan.name}.yaml`, world)).toEqual([])
  expect(plan.inputs.map(({ name }) => name)).toEqual(inputs)
  expect(Object.keys(readInputs(plan, content))).toEqual(inputs)
  expect(callsOf(plan)).toEqual(calls)
  expect(text.split('\n').filter((line) => line.trim().startsWith('#')).length).toBeGreaterThan(2)
})

describe('the alerts of the demo', () => {
  const folder = new URL('test/demo/story/alerts/', root)
  test.each(readdirSync(folder))('%s', (name) => {
    const { content } = JSON.parse(readFileSync(new URL(name, folder), 'utf8')) as { content: Json }
    check(typeof content === 'string' ? content : JSON.stringify(content))
  })
})

/** Checks what every generated playbook must meet. */
function check(content: string): void {
  const { text, plan } = generate(content)
  for (const call of callsOf(plan)) expect(impactOf(call), call).toBe('read')
  expect(lintPlaybook(text, `${plan.name}.yaml`, world)).toEqual([])
  readInputs(plan, content)
  for (const value of textsOf(content)) expect(text.includes(value), `${value} in\n${text}`).toBe(false)
}

/** Returns the values of an alert that a playbook would not contain by accident. */
function textsOf(content: string): string[] {
  let found: string[] = []
  const visit = (value: Json): void => {
    if (typeof value === 'string') found.push(value)
    else if (typeof value === 'object' && value !== null) for (const inner of Object.values(value)) visit(inner as Json)
  }
  try {
    visit(JSON.parse(content) as Json)
  } catch {
    found = content.split(/\s+/)
  }
  return found.filter((value) => value.length >= 9 && /[@./:]/.test(value))
}

/** Returns a random number generator. The same seed gives the same numbers (mulberry32). */
function numbers(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296) * below)
  }
}

const keys = [
  'user',
  'email',
  'from',
  'to',
  'recipients',
  'src_ip',
  'ip',
  'url',
  'urls',
  'sha256',
  'domain',
  'host',
  'messageId',
  'issue',
  'id',
  'Issue-ID',
]
const oddKeys = [
  'severity',
  'a.b',
  "it's",
  '{{ x }}',
  'ключ',
  '__proto__',
  'constructor',
  'k'.repeat(70),
  '',
  'employeeId',
  'detection',
  'account',
  'case',
]
const values: readonly Json[] = [
  'ada@acme.example',
  'eve+x@bad-site.example',
  '203.0.113.9',
  '2001:db8::17',
  'https://bad.example/{{ alert }}',
  'd41d8cd98f00b204e9800998ecf8427e',
]
const oddValues: readonly Json[] = [
  'ada',
  '',
  null,
  5,
  true,
  "'; DROP",
  '{% raw %}',
  'high',
  'login of bob@corp.example from 198.51.100.77',
  'iss.1.YWJj',
  '☃'.repeat(20),
]

function alertOf(pick: (below: number) => number, depth = 0): Json {
  const kind = pick(depth > 4 ? 2 : 5)
  const from = <T>(list: readonly T[]): T => list[pick(list.length)] as T
  if (kind < 2) return from(pick(3) === 0 ? oddValues : values)
  if (kind === 2) return Array.from({ length: pick(6) }, () => alertOf(pick, depth + 1))
  return Object.fromEntries(Array.from({ length: 1 + pick(8) }, () => [from(pick(3) === 0 ? oddKeys : keys), alertOf(pick, depth + 1)]))
}

test('whatever the alert contains, the playbook has no finding, only reads, and contains none of its values', () => {
  for (let seed = 1; seed <= 100; seed += 1) {
    const pick = numbers(seed)
    const json = alertOf(pick)
    const text =
      pick(4) === 0
        ? Object.entries(typeof json === 'object' && json !== null ? json : {})
            .map(([key, value]) => `${key}=${JSON.stringify(value)}`)
            .join(' ')
        : JSON.stringify(json)
    check(text)
  }
})

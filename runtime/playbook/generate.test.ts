import { describe, expect, it } from 'vitest'
import {
  compilePlaybook,
  type GeneratorIntegration,
  type GeneratorSkill,
  generatePlaybook,
  type Plan,
  readInputs,
  type SkillLookup,
} from './index.ts'

function skill(impact: 'read' | 'write' | 'high', properties: Readonly<Record<string, string>>, required: readonly string[]): GeneratorSkill {
  const input = {
    type: 'object',
    additionalProperties: false,
    required: [...required],
    properties: Object.fromEntries(Object.entries(properties).map(([key, semantic]) => [key, { type: 'string', 'x-semantic': semantic }])),
  }
  return { impact, document: { title: 'Do {{ it }}', purpose: 'Says\nsomething: #1 {% x %}.', input } }
}

const many = { type: 'array', items: { type: 'string', 'x-semantic': 'mailsec_message_id' } }
const mailsec: GeneratorIntegration = {
  id: 'mailsec',
  skills: new Map<string, GeneratorSkill>([
    ['get_message', skill('read', { message_id: 'mailsec_message_id' }, ['message_id'])],
    [
      'get_messages',
      { impact: 'read', document: { title: 'T', purpose: 'P', input: { type: 'object', required: ['ids'], properties: { ids: many } } } },
    ],
    ['get_account', skill('read', { email: 'email_address' }, [])],
    ['get_pair', skill('read', { user: 'email_address', ip: 'ip_address' }, ['user', 'ip'])],
    ['list_all', skill('read', {}, [])],
    ['search', skill('read', { query: 'query' }, ['query'])],
    ['delete_message', skill('write', { message_id: 'mailsec_message_id' }, ['message_id'])],
    ['suspend', skill('high', { email: 'email_address' }, ['email'])],
  ]),
}
const intel: GeneratorIntegration = { id: 'intel', skills: new Map([['look_up', skill('read', { hash: 'file_hash' }, ['hash'])]]) }

const integrations = [mailsec, intel]
const lookup: SkillLookup = {
  integrations: () => integrations.map(({ id }) => id),
  skills: (id) => [...(integrations.find((one) => one.id === id)?.skills.keys() ?? [])],
  skill: (id, name) => integrations.find((one) => one.id === id)?.skills.get(name) ?? null,
  codes: () => [],
  filters: () => ({}),
}

function plan(content: string, type = 'phishing_reported'): Plan {
  return compilePlaybook(generatePlaybook({ type, content, integrations }), 'generated.yaml', lookup)
}

const calls = ({ steps }: Plan): string[] =>
  steps.flatMap((step) => (step.kind === 'skill' ? [`${step.integration}.${step.skill} ${JSON.stringify(step.with.reads)}`] : []))

const content = JSON.stringify({
  title: 'Reported',
  message: { id: 'm-1', sender: 'eve@bad.example', recipients: ['ada@example.com', 'bob@example.com'] },
  reporter: { email: 'ada@example.com' },
  sourceIp: '203.0.113.9',
  attachment: { sha256: 'a'.repeat(64) },
})

describe('of JSON content', () => {
  it('reads the observables by paths, each value once', () => {
    expect(readInputs(plan(content), content)).toEqual({
      message_id: 'm-1',
      sender: 'eve@bad.example',
      recipient: 'ada@example.com',
      recipient_2: 'bob@example.com',
      source_ip: '203.0.113.9',
      attachment_sha256: 'a'.repeat(64),
    })
    // Ada reported it too: a second place of the same input.
    const recipient = plan(content).inputs.find(({ name }) => name === 'recipient')
    expect(recipient?.from).toEqual([{ path: ['message', 'recipients', '0'] }, { path: ['reporter', 'email'] }])
  })

  it('asks the read skills that take them, and no write', () => {
    expect(calls(plan(content))).toEqual([
      'intel.look_up [["inputs","attachment_sha256"]]',
      'mailsec.get_account [["inputs","sender"]]',
      'mailsec.get_account [["inputs","recipient"]]',
      'mailsec.get_account [["inputs","recipient_2"]]',
      'mailsec.get_message [["inputs","message_id"]]',
      'mailsec.get_messages [["inputs","message_id"]]',
      'mailsec.get_pair [["inputs","sender"],["inputs","source_ip"]]',
    ])
  })

  it('puts a single observable into a list where the skill takes one', () => {
    const step = plan(content).steps.find((one) => one.kind === 'skill' && one.skill === 'get_messages')
    expect(step?.kind === 'skill' && step.with.render({ inputs: { message_id: 'm-1' } })).toEqual({ ids: ['m-1'] })
  })
})

it('reads the observables of text by patterns', () => {
  const text = 'Login by user=ada@example.com from 203.0.113.9, see https://x.example/a?b. message-id: m-1; md5 d41d8cd98f00b204e9800998ecf8427e'
  expect(readInputs(plan(text), text)).toEqual({
    user: 'ada@example.com',
    message_id: 'm-1',
    url: 'https://x.example/a?b.',
    ip: '203.0.113.9',
    file_hash: 'd41d8cd98f00b204e9800998ecf8427e',
  })
})

it('lets other alerts of the type lack what this one had', () => {
  const made = plan(content)
  expect(made.inputs.every(({ required }) => !required)).toBe(true)
  expect(Object.values(made.slots).every(({ optional }) => optional)).toBe(true)
  const inputs = readInputs(made, 'something else')
  expect(inputs).toEqual({})
  const context = { inputs, steps: {}, connections: { mailsec: { bound: true }, intel: { bound: true } }, alert: { alert_name: 'x' } }
  for (const step of made.steps) {
    if (step.id.startsWith('ask_') || step.id.startsWith('found_')) expect(step.condition?.test(context), step.id).toBe(false)
    if (step.kind === 'skill') expect(step.onError).toBe('continue')
    else if (step.kind === 'case' && step.condition === null) expect(() => step.note?.render(context)).not.toThrow()
  }
  expect(made.verdict?.render(context)).toContain('not asked')
})

it('skips an integration that the organization has no connection to', () => {
  const context = { inputs: readInputs(plan(content), content), connections: { mailsec: { bound: false }, intel: { bound: false } } }
  for (const step of plan(content).steps) if (step.kind === 'skill') expect(step.condition?.test(context)).toBe(false)
})

it('writes the same text for the same arguments, whatever the order of the plugins', () => {
  const text = generatePlaybook({ type: 't', content, integrations })
  expect(generatePlaybook({ type: 't', content, integrations: [intel, { ...mailsec, skills: new Map([...mailsec.skills].reverse()) }] })).toBe(text)
})

it("keeps the alert's values out of the playbook", () => {
  const text = generatePlaybook({ type: 't', content, integrations })
  for (const value of ['eve@bad.example', 'ada@example.com', 'm-1', '203.0.113.9', 'aaaaaaaa']) expect(text).not.toContain(value)
})

it.each([
  '',
  ' ',
  'hello',
  '{}',
  '[]',
  'null',
  '"a@b.example"',
  '{"a":',
  '12345678901234567890',
  '{"user":{"email":5}}',
  `{"${'x'.repeat(300)}":"a@b.example"}`,
  '{"a.b":"a@b.example","{{ c }}":"a@b.example","__proto__":"c@d.example"}',
])('compiles for content %j', (odd) => {
  const made = plan(odd)
  expect(made.steps.length).toBeGreaterThan(0)
  readInputs(made, odd)
})

it.each([
  'phishing_reported',
  'Phishing Reported',
  "it's: {{ inputs.x }} #1",
  'ünïcode ☃ 中文',
  '- [x]',
  'null',
  '1',
  'a'.repeat(200),
  '\u{1f600}',
  'tab\there',
  '\\',
  '"',
])('compiles for the type %j, and means it', (type) => {
  const made = plan(content, type)
  expect(made.types).toEqual([type.normalize('NFKC').trim().toLowerCase()])
  expect(made.name).toMatch(/^generated-[a-z0-9_-]{1,89}$/)
})

it('gives types that look alike different names', () => {
  const names = ['a b', 'a_b', 'a-b', 'A B', 'ä b', '☃', '☂'].map((type) => plan(content, type).name)
  // Only case does not tell types apart.
  expect(new Set(names).size).toBe(6)
})

it('stays readable for an alert that names very much', () => {
  const crowd = JSON.stringify({ users: Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`u${index}_email`, `u${index}@example.com`])) })
  const made = plan(crowd)
  expect(made.inputs.length).toBeLessThanOrEqual(24)
  expect(made.steps.length).toBeLessThanOrEqual(100)
})

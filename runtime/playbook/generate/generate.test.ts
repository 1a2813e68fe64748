import { describe, expect, it } from 'vitest'
import type { Json } from '../../domain/index.ts'
import type { Context } from '../../expressions/index.ts'
import { lookup as known } from '../compile/testing.ts'
import { compilePlaybook, type ForeachStep, type Plan, type PlanStep, readInputs, type SkillLookup } from '../index.ts'
import { type GeneratorIntegration, type GeneratorSkill, generatePlaybook } from './generate.ts'

function skill(impact: 'read' | 'write' | 'high', properties: Readonly<Record<string, string>>, required: readonly string[]): GeneratorSkill {
  const input = {
    type: 'object',
    additionalProperties: false,
    required: [...required],
    properties: Object.fromEntries(Object.entries(properties).map(([key, semantic]) => [key, { type: 'string', 'x-semantic': semantic }])),
  }
  return { impact, document: { title: 'Do {{ it }}', purpose: 'Says\nsomething: #1 {% x %}.', input, output: { type: 'object' } } }
}

const many = { type: 'array', items: { type: 'string', 'x-semantic': 'mailsec_message_id' } }
const query = { type: 'string', 'x-semantic': 'query', 'x-queries': { url: 'link:{{ value | mail_quote }}' } }
const limit = { type: 'integer', 'x-suggested': 25 }
const link = { type: 'object', properties: { verdict: { type: ['string', 'null'], 'x-risk': { high: ['malicious'], low: ['odd'] } } } }
const found = {
  type: 'object',
  required: ['messages', 'truncated'],
  properties: {
    messages: { type: 'array', items: { type: 'object', properties: { links: { type: ['array', 'null'], items: link } } } },
    truncated: { type: 'boolean' },
  },
}
const mailsec: GeneratorIntegration = {
  id: 'mailsec',
  skills: new Map<string, GeneratorSkill>([
    ['get_message', skill('read', { message_id: 'mailsec_message_id' }, ['message_id'])],
    [
      'get_messages',
      {
        impact: 'read',
        document: { title: 'T', purpose: 'P', input: { type: 'object', required: ['ids'], properties: { ids: many } }, output: { type: 'object' } },
      },
    ],
    ['get_account', skill('read', { email: 'email_address' }, [])],
    ['get_pair', skill('read', { user: 'email_address', ip: 'ip_address' }, ['user', 'ip'])],
    ['list_all', skill('read', {}, [])],
    ['plain_search', skill('read', { query: 'query' }, ['query'])],
    [
      'search',
      {
        impact: 'read',
        document: { title: 'S', purpose: 'P', input: { type: 'object', required: ['query'], properties: { query, limit } }, output: found },
      },
    ],
    ['delete_message', skill('write', { message_id: 'mailsec_message_id' }, ['message_id'])],
    ['suspend', skill('high', { email: 'email_address' }, ['email'])],
  ]),
}
const intel: GeneratorIntegration = {
  id: 'intel',
  skills: new Map([
    ['look_up', skill('read', { hash: 'file_hash' }, ['hash'])],
    ['who_is', skill('read', { user: 'user_name' }, ['user'])],
  ]),
}

const integrations = [mailsec, intel]
const connected = new Set(['mailsec'])
const lookup: SkillLookup = {
  ...known,
  integrations: () => integrations.map(({ id }) => id),
  skills: (id) => [...(integrations.find((one) => one.id === id)?.skills.keys() ?? [])],
  skill: (id, name) => integrations.find((one) => one.id === id)?.skills.get(name) ?? null,
  codes: () => [],
}

function plan(content: string, type = 'phishing_reported'): Plan {
  return compilePlaybook(generatePlaybook({ type, content, integrations, connected }), 'generated.yaml', lookup)
}

function* every(steps: readonly PlanStep[]): Generator<PlanStep> {
  for (const step of steps) {
    yield step
    for (const inner of Object.values(step)) if (Array.isArray(inner)) yield* every(inner as readonly PlanStep[])
  }
}

const calls = ({ steps }: Plan): string[] =>
  [...every(steps)].flatMap((step) => (step.kind === 'skill' ? [`${step.integration}.${step.skill} ${JSON.stringify(step.with.reads)}`] : []))

function loop(made: Plan, id: string): ForeachStep {
  const step = made.steps.find((one) => one.id === id)
  if (step?.kind !== 'foreach') throw new Error(`there is no loop ${id}`)
  return step
}

/** Returns the variables that the steps before the loops set. */
function variables(made: Plan, inputs: Readonly<Record<string, Json>>): Readonly<Record<string, Json>> {
  let vars: Readonly<Record<string, Json>> = {}
  for (const step of made.steps)
    if (step.kind === 'set' && step.condition === null) vars = { ...vars, ...(step.values.render({ inputs, vars }) as object) }
  return vars
}

const content = JSON.stringify({
  title: 'Reported',
  severity: 'High',
  message: { id: 'm-1', sender: 'eve@bad.example', recipients: ['ada@example.com', 'bob@example.com'] },
  reporter: { email: 'ada@example.com' },
  sourceIp: '203.0.113.9',
  attachments: [{ sha256: 'a'.repeat(64) }, { sha256: 'b'.repeat(64) }],
  links: ['https://bad.example/x'],
})

describe('from JSON content', () => {
  it('reads each observable by its path, and lists as lists', () => {
    expect(readInputs(plan(content), content)).toEqual({
      severity: 'High',
      message_id: 'm-1',
      sender: 'eve@bad.example',
      recipients: ['ada@example.com', 'bob@example.com'],
      reporter_email: 'ada@example.com',
      source_ip: '203.0.113.9',
      attachment_sha256: [{ sha256: 'a'.repeat(64) }, { sha256: 'b'.repeat(64) }],
      links: ['https://bad.example/x'],
    })
  })

  it('makes one input with several places from a value that occurs under several keys', () => {
    const twice = JSON.stringify({ user: { email: 'ada@example.com' }, actor: { email: 'ada@example.com' } })
    expect(plan(twice).inputs).toMatchObject([{ name: 'user_email', from: [{ path: ['user', 'email'] }, { path: ['actor', 'email'] }] }])
  })

  it('collects the values to look up, also from the items of lists', () => {
    const made = plan(content)
    const vars = variables(made, readInputs(made, content))
    expect(vars['email_addresses']).toEqual(['ada@example.com', 'bob@example.com', 'eve@bad.example', 'ada@example.com'])
    expect(vars['user_names']).toEqual(vars['email_addresses'])
    expect(vars['file_hashes']).toEqual(['a'.repeat(64), 'b'.repeat(64)])
    const users = loop(made, 'each_email_address').items.render({ vars })
    expect(users).toEqual(['ada@example.com', 'bob@example.com', 'eve@bad.example'])
  })

  it('looks up only the first few items of a long list, and says so', () => {
    const made = plan(JSON.stringify({ recipients: Array.from({ length: 300 }, (_, index) => `u${index}@example.com`) }))
    const crowd = JSON.stringify({ recipients: Array.from({ length: 7 }, (_, index) => `u${index}@example.com`) })
    const vars = variables(made, readInputs(made, crowd))
    expect(loop(made, 'each_email_address').items.render({ vars })).toHaveLength(5)
    const note = made.steps.find(({ id }) => id === 'more_email_addresses')
    expect(note?.condition?.test({ vars })).toBe(true)
    expect(note?.kind === 'case' && note.note?.render({ vars })).toContain('of 7')
  })

  it('calls only read skills that take the values, connected integrations first', () => {
    expect(calls(plan(content))).toEqual([
      'mailsec.get_account [["email_address"]]',
      'mailsec.get_message [["mailsec_message_id"]]',
      'mailsec.get_messages [["mailsec_message_id"]]',
      'mailsec.search [["url"]]',
      'intel.look_up [["file_hash"]]',
      'intel.who_is [["user_name"]]',
      'mailsec.get_pair [["vars","email_addresses"],["vars","ip_addresses"]]',
    ])
  })

  it('fills inputs as their schemas say: a value, a list of one, a quoted query, a suggested value', () => {
    const made = [...every(plan(content).steps)]
    const input = (skill_: string, context: Context): unknown =>
      made.flatMap((step) => (step.kind === 'skill' && step.skill === skill_ ? [step.with.render(context)] : []))
    expect(input('get_message', { mailsec_message_id: 'm-1' })).toEqual([{ message_id: 'm-1' }])
    expect(input('get_messages', { mailsec_message_id: 'm-1' })).toEqual([{ ids: ['m-1'] }])
    expect(input('search', { url: 'a"b' })).toEqual([{ query: 'link:"a\\"b"', limit: 25 }])
    expect(input('get_pair', { vars: { email_addresses: ['a', 'b'], ip_addresses: ['c'] } })).toEqual([{ user: 'a', ip: 'c' }])
  })

  it('finds values that only occur inside a text', () => {
    const prose = JSON.stringify({ log: 'sshd: failed password for bob@example.com from 198.51.100.7 port 22' })
    expect(readInputs(plan(prose), prose)).toEqual({ email: 'bob@example.com', ip: '198.51.100.7' })
  })
})

describe('an answer', () => {
  const made = plan(content)
  const weighing = loop(made, 'each_url').steps.filter(({ id }) => id.startsWith('weigh_'))
  const weigh = (messages: Json): unknown =>
    weighing.filter(({ condition }) => condition?.test({ url: 'u', steps: { ask_search: { output: { messages } } } })).map(({ id }) => id)

  it('gets points for what its schema calls a risk', () => {
    expect(weighing.map(({ id }) => id)).toEqual(['weigh_search_1', 'weigh_search_2'])
    expect(weigh([{ links: [{ verdict: null }, { verdict: 'malicious' }] }])).toEqual(['weigh_search_1'])
    expect(weigh([{ links: [{ verdict: 'odd' }] }, { links: [{ verdict: 'malicious' }] }])).toEqual(['weigh_search_1', 'weigh_search_2'])
    expect(weigh([{ links: null }, {}, { links: [{}] }])).toEqual([])
    expect(weighing[0]?.condition?.test({ url: 'u', steps: { ask_search: { error: { code: 'x' } } } })).toBe(false)
    const [high] = weighing
    expect(high?.kind === 'set' && high.values.render({ url: 'u', vars: { score: 20, reasons: '' } })).toEqual({
      score: 70,
      reasons: ' mailsec.search for u: messages[].links[].verdict is malicious;',
    })
  })

  it('goes into the case if it contains something', () => {
    const step = loop(made, 'each_url').steps.find(({ id }) => id === 'found_search')
    const context = (messages: Json): Context => ({ url: 'u', vars: { none: [] }, steps: { ask_search: { output: { messages } } } })
    expect(step?.condition?.test(context([]))).toBe(false)
    expect(step?.condition?.test(context([{}]))).toBe(true)
    expect(step?.kind === 'case' && step.finding?.render(context([{}]))).toMatchObject({ title: 'S (mailsec) for u: 1', risk: 'info' })
  })

  it.each([
    [0, []],
    [5, ['rate_low']],
    [20, ['rate_medium']],
    [49, ['rate_medium']],
    [50, ['rate_high']],
    [500, ['rate_high']],
  ])('%i points make %j', (score, expected) => {
    const rates = made.steps.filter(({ id, condition }) => id.startsWith('rate_') && condition?.test({ vars: { score } }))
    expect(rates.map(({ id }) => id)).toEqual(expected)
  })

  it('gets points for the severity that the source gives', () => {
    const source = made.steps.find(({ id }) => id === 'source_severity')
    for (const [severity, expected] of [
      ['High', true],
      ['CRITICAL', true],
      ['low', false],
    ] as const)
      expect(source?.condition?.test({ inputs: { severity } })).toBe(expected)
    expect(source?.condition?.test({ inputs: {} })).toBe(false)
  })

  it('never gives the disposition malicious without a person', () => {
    for (const step of every(made.steps)) if (step.kind === 'case') expect(step.disposition ?? 'pending').toBe('pending')
    expect(made.steps.at(-1)).toMatchObject({ kind: 'case', status: 'analyst_pending', disposition: 'pending' })
  })
})

it('reads observables from text by patterns', () => {
  const text = 'Login by user=ada@example.com from 203.0.113.9, see https://x.example/a?b. message-id: m-1; md5 d41d8cd98f00b204e9800998ecf8427e'
  expect(readInputs(plan(text), text)).toEqual({
    user: 'ada@example.com',
    message_id: 'm-1',
    url: 'https://x.example/a?b.',
    ip: '203.0.113.9',
    file_hash: 'd41d8cd98f00b204e9800998ecf8427e',
  })
})

it.each([
  'something else',
  '{}',
  '{"message":null,"sourceIp":null}',
  '{"message":{"id":[1],"sender":{"a":1},"recipients":"ada@example.com"},"sourceIp":"unknown","attachments":{"sha256":1},"links":7,"severity":9}',
])('lets other alerts of the type lack what this one had, or have it otherwise: %s', (other) => {
  const made = plan(content)
  expect(made.inputs.every(({ required }) => !required)).toBe(true)
  expect(Object.values(made.slots).every(({ optional }) => optional)).toBe(true)
  const inputs = readInputs(made, other)
  expect(inputs).toEqual({ recipients: [], attachment_sha256: [], links: [] })
  const vars = variables(made, inputs)
  const context = { inputs, vars, steps: {}, connections: { mailsec: { bound: true }, intel: { bound: true } }, alert: { alert_name: 'x' } }
  for (const step of made.steps) {
    if (step.kind === 'foreach') expect(step.items.render(context), step.id).toEqual([])
    if (step.kind === 'skill' || step.condition !== null) expect(step.condition?.test(context), step.id).toBe(false)
    else if (step.kind === 'case') expect(() => step.note?.render(context)).not.toThrow()
  }
  expect(made.verdict?.render(context)).toContain('no sign of an attack was found')
})

it('skips an integration without a connection, and says so', () => {
  const made = plan(content)
  const context = { vars: { score: 0, reasons: '', unanswered: '' }, connections: { mailsec: { bound: true }, intel: { bound: false } } }
  const skipped = [...every(made.steps)].filter(
    (step) => step.kind === 'skill' && !step.condition?.test({ ...context, vars: variables(made, readInputs(made, content)) }),
  )
  expect(skipped.map(({ id }) => id)).toEqual(['ask_look_up', 'ask_who_is'])
  expect(made.verdict?.render(context)).toContain('intel is not connected')
})

it('continues after a question that fails, and says so', () => {
  for (const step of every(plan(content).steps)) {
    if (step.kind !== 'skill') continue
    expect(step.onError, step.id).toMatchObject([{ kind: 'set' }])
  }
})

it('writes the same text for the same arguments, whatever the order of the plugins', () => {
  const text = generatePlaybook({ type: 't', content, integrations, connected })
  const reversed = [intel, { ...mailsec, skills: new Map([...mailsec.skills].reverse()) }]
  expect(generatePlaybook({ type: 't', content, integrations: reversed, connected })).toBe(text)
})

it("keeps the alert's values out of the playbook", () => {
  const text = generatePlaybook({ type: 't', content, integrations, connected })
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
  '\\',
  '"',
])('compiles for the type %j, and means it', (type) => {
  const made = plan(content, type)
  expect(made.types).toEqual([type.normalize('NFKC').trim().toLowerCase()])
  expect(made.name).toMatch(/^generated-[a-z0-9_-]{1,89}$/)
})

it('gives types that look alike different names', () => {
  const names = ['a b', 'a_b', 'a-b', 'A B', 'ä b', '☃', '☂'].map((type) => plan(content, type).name)
  // Two types that differ only in case are the same type.
  expect(new Set(names).size).toBe(6)
})

it('stays readable for an alert that names very much', () => {
  const crowd = JSON.stringify({ users: Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`u${index}_email`, `u${index}@example.com`])) })
  const made = plan(crowd)
  expect(made.inputs.length).toBeLessThanOrEqual(24)
  expect([...every(made.steps)].length).toBeLessThanOrEqual(100)
})

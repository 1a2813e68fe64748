import { expect, it } from 'vitest'
import { digestOf } from '../../yaml/index.ts'
import { compile, faultsOf, playbook } from './testing.ts'

const whole = `format: 1
playbook: stolen-credential-used
alert_type: [Stolen_Credential_Used, ' credential_leak ', STOLEN_credential_used]
description: Confirm, contain, tell.
inputs:
  user: { type: string, format: email, from: [content.user.email, { pattern: 'user=(?P<value>[^\\s,]+)' }], required: true }
  count: { type: integer, default: 3 }
connections:
  idp: { integration: mfa }
  post: { integration: mail, optional: true }
limits: { time: 30m, steps: 200, concurrency: 20, output: 1MiB }
case: { title: 'Stolen credential of {{ inputs.user }}', severity: high }
steps:
  - id: user
    skill: mfa.get_user
    with: { username: '{{ inputs.user }}' }
    retry: { attempts: 3, backoff: constant, delay: 2s, on: [network] }
    timeout: 20s
    on_error: continue
  - id: facts
    set: { contained: false, devices: '{{ steps.user.output.devices | size }}' }
  - id: search
    if: { '!!': [{ var: connections.post.bound }] }
    skill: mail.search
    with: { query: 'recipient:{{ inputs.user | mail_quote }}' }
    on_error:
      - id: sorry
        case: { note: 'Not searched: {{ steps.search.error.message }}' }
  - id: each_device
    foreach: '{{ steps.user.output.devices }}'
    as: device
    max_items: 50
    concurrency: 4
    steps:
      - id: note_device
        case: { finding: { title: 'Device {{ device.nickname }}', risk: low, evidence: '{{ device }}' } }
  - id: decide
    if: { '==': [{ var: vars.contained }, true] }
    then:
      - id: close
        case: { note: Contained., severity: high, disposition: malicious, status: contained }
    else:
      - id: stop
        stop: { outcome: completed, reason: 'Nothing to contain for {{ inputs.user }}' }
verdict: { summary: 'Contained: {{ vars.contained }}' }
`

it('compiles every section and every kind of step', () => {
  const plan = compile(whole)
  expect(plan).toMatchObject({
    name: 'stolen-credential-used',
    digest: digestOf(whole),
    types: ['stolen_credential_used', 'credential_leak'],
    description: 'Confirm, contain, tell.',
    slots: { idp: { integration: 'mfa', optional: false }, post: { integration: 'mail', optional: true } },
    limits: { time: 1_800_000, steps: 200, concurrency: 20, output: 1_048_576 },
    case: { severity: 'high' },
    inputs: [
      { name: 'user', required: true, schema: { type: 'string', format: 'email' } },
      { name: 'count', required: false, default: 3, from: [] },
    ],
    steps: [
      {
        kind: 'skill',
        id: 'user',
        at: { line: 14, column: 5 },
        integration: 'mfa',
        skill: 'get_user',
        slot: 'idp',
        timeout: 20_000,
        retry: { attempts: 3, backoff: 'constant', delay: 2_000, maxDelay: 30_000, on: ['network'] },
        onError: 'continue',
        condition: null,
      },
      { kind: 'set', id: 'facts', onError: 'fail' },
      { kind: 'skill', slot: 'post', retry: null, timeout: null, onError: [{ kind: 'case', id: 'sorry' }] },
      { kind: 'foreach', as: 'device', maxItems: 50, concurrency: 4, steps: [{ kind: 'case', note: null, severity: null }] },
      {
        kind: 'if',
        condition: null,
        then: [{ kind: 'case', finding: null, severity: 'high', disposition: 'malicious', status: 'contained' }],
        else: [{ kind: 'stop', outcome: 'completed' }],
      },
    ],
  })
  const context = { inputs: { user: 'ada' }, connections: { post: { bound: false } }, vars: { contained: true }, device: { nickname: 'n' } }
  expect(plan.case.title?.render(context)).toBe('Stolen credential of ada')
  expect(plan.steps[2]?.condition?.test(context)).toBe(false)
  expect(plan.verdict?.render(context)).toBe('Contained: true')
})

it('fills in the defaults of a short playbook', () => {
  const plan = compile(
    playbook(
      "  - { id: a, skill: mfa.get_user, with: { username: x } }\n  - { id: b, foreach: [1, 2, '{{ alert.alert_id }}'], steps: [{ id: c, stop: { outcome: failed } }] }\n",
    ),
  )
  expect(plan).toMatchObject({
    types: ['test'],
    description: '',
    inputs: [],
    limits: { time: null, steps: 1_000, output: 5_242_880, concurrency: null },
    case: { title: null, severity: 'unassigned' },
    verdict: null,
    slots: { mfa: { integration: 'mfa', optional: false } },
    steps: [{ slot: 'mfa' }, { kind: 'foreach', as: 'item', maxItems: 3, concurrency: 1 }],
  })
})

it('has a default list of codes to retry', () => {
  const plan = compile(playbook('  - { id: a, skill: mfa.get_user, with: { username: x }, retry: { attempts: 4 } }\n'))
  expect(plan.steps[0]).toMatchObject({
    retry: {
      attempts: 4,
      backoff: 'exponential',
      delay: 1_000,
      maxDelay: 30_000,
      on: ['network', 'call_timeout', 'rate_limited', 'vendor_unavailable'],
    },
  })
})

it('makes the same plan from the same text', () => {
  expect(JSON.stringify(compile(whole))).toBe(JSON.stringify(compile(whole)))
})

it('has no findings', () => {
  expect(faultsOf(whole)).toEqual([])
})

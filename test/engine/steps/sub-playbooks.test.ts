import { afterEach, expect, test } from 'vitest'
import type { Json } from '../../../runtime/domain/index.ts'
import { type Answer, Bench, Crash, done, failing, playbook } from '../support/harness.ts'

let bench: Bench
afterEach(() => bench.close())

/** Returns a sub-playbook of these steps. */
function sub(
  steps: string,
  rest = 'inputs: { user: { type: string, required: true }, days: { type: integer, default: 7 } }',
  name = 'recheck',
): string {
  return `format: 1\nplaybook: ${name}\n${rest}\nsteps:\n${steps.trim().replace(/^/gm, '  ')}\n`
}
const look = `- id: look\n  skill: directory.get_user\n  with: { user: '{{ inputs.user }}' }`
const run = (given = "{ user: '{{ alert.content.user }}' }"): string => `- id: again\n  playbook: recheck\n  with: ${given}`
const note = (text: string): string => `- id: say\n  case: { note: '${text}' }`

async function notes(of: Bench = bench): Promise<string[]> {
  return (await of.case()).timeline.flatMap(({ body }) => (body.kind === 'note' ? [body.text] : []))
}
const active: Answer = ({ input }) => done({ state: `${(input as { user: string }).user} is active` })

test('runs with its inputs, and returns its outputs', async () => {
  const text = sub(
    look,
    `inputs: { user: { type: string, required: true }, days: { type: integer, default: 7 } }\noutputs: { state: '{{ steps.look.output.state }}', days: '{{ inputs.days }}' }`,
  )
  bench = await Bench.open(
    playbook(`${run()}\n${note('{{ steps.again.output.state }}, {{ steps.again.output.days | plus: 1 }}')}`),
    { user: 'ada' },
    [text],
  )
  await bench.live(active)
  expect(bench.called).toEqual(['get_user ada'])
  expect(await notes()).toEqual(['ada is active, 8'])
})

test.each([
  ['a value that does not fit', 'nonsense', 'none'],
  ['an empty text', '', 'none'],
  ['a value that fits', '192.0.2.1', '192.0.2.1'],
])('an input with `unfit: missing` takes %s as inputs from an alert do', async (_, ip, taken) => {
  const text = sub(
    "- id: facts\n  set: { ip: '{{ inputs.ip | default: \"none\" }}', day: '{{ inputs.day }}' }",
    "inputs: { ip: { type: string, format: ip, unfit: missing }, day: { type: string, default: today } }\noutputs: { said: '{{ vars.ip }} {{ vars.day }}' }",
  )
  const given = "{ ip: '{{ alert.content.ip }}', day: '' }"
  bench = await Bench.open(playbook(`${run(given)}\n${note('{{ steps.again.output.said }}')}`), { ip }, [text])
  await bench.live(active)
  expect(await notes()).toEqual([`${taken} today`])
})

test('has its own variables and steps, shares alert and case, and does not see the loop', async () => {
  const text = sub(
    `- id: facts\n  set: { n: '{{ vars.n | default: 10 }}' }\n- id: inner\n  case: { note: 'inside {{ vars.n }} {{ alert.content.user }} {{ item | default: "no item" }}', severity: high }`,
    '',
  )
  bench = await Bench.open(
    playbook(
      `- id: facts\n  set: { n: 1 }\n- id: each\n  foreach: [a]\n  steps:\n    - id: again\n      playbook: recheck\n- id: after\n  if: { '==': [{ var: case.severity }, high] }\n  case: { note: 'after {{ vars.n }}' }`,
    ),
    { user: 'ada' },
    [text.replace(' {{ item | default: "no item" }}', '')],
  )
  await bench.live(active)
  expect(await notes()).toEqual(['inside 10 ada', 'after 1'])
})

test.each([
  ['{ user: 7 }', 'inputs_invalid', 'inputs.user of recheck must be a string'],
  ["{ user: '{{ alert.content.missing }}' }", 'inputs_missing', 'inputs.user of recheck is not given'],
])('given %s it fails before its first step', async (given, code, message) => {
  const steps = `${run(given.replace('7', "'{{ alert.content.number }}'"))}\n  on_error: continue\n${note('{{ steps.again.error.code }}: {{ steps.again.error.message }}')}`
  bench = await Bench.open(playbook(steps), { number: 7 }, [sub(look)])
  await bench.live(active)
  expect(bench.called).toEqual([])
  expect(await notes()).toEqual([`${code}: ${message}`])
})

test('a stop in it ends only the sub-playbook: completed returns its outputs, failed fails the step', async () => {
  const stop = (outcome: string): string =>
    sub(
      `- id: halt\n  stop: { outcome: ${outcome}, reason: enough }\n${look}`,
      "inputs: { user: { type: string } }\noutputs: { known: '{{ inputs.user }}' }",
    )
  const text = playbook(
    `${run()}\n  on_error: continue\n${note('{{ steps.again.output.known }}{{ steps.again.error.code }}')}`
      .replaceAll('}}{{', ' | default: "" }}{{')
      .replace('error.code }}', 'error.code | default: "" }}'),
  )
  bench = await Bench.open(text, { user: 'ada' }, [stop('completed')])
  await bench.live(active)
  expect([bench.called, await notes()]).toEqual([[], ['ada']])
  await bench.close()
  bench = await Bench.open(text, { user: 'ada' }, [stop('failed')])
  await bench.live(active)
  expect(await notes()).toEqual(['run_stopped'])
  expect(await bench.ended()).toMatchObject({ state: 'completed' })
})

test('a failure in it fails the step, with the inner address', async () => {
  bench = await Bench.open(playbook(run()), { user: 'ada' }, [sub(look)])
  await bench.live(() => failing('refused', 'credentials_rejected'))
  expect(await bench.ended()).toMatchObject({ state: 'failed', failure: { code: 'credentials_rejected', step: 'again/look' } })
})

test('its steps count towards the limit of its caller and its own', async () => {
  const two = sub(`${look}\n${note('x')}`)
  bench = await Bench.open(playbook(run(), 'limits: { steps: 2 }'), { user: 'ada' }, [two])
  await bench.live(active)
  expect(await bench.ended()).toMatchObject({ failure: { code: 'steps_exceeded', step: 'again/say' } })
  await bench.close()
  bench = await Bench.open(playbook(run()), { user: 'ada' }, [two.replace('steps:\n', 'limits: { steps: 1 }\nsteps:\n')])
  await bench.live(active)
  expect(await bench.ended()).toMatchObject({ failure: { code: 'steps_exceeded', step: 'again/say' } })
})

test('its time counts from when it first began, in every execution', async () => {
  const text = sub(`${look}\n${look.replace('id: look', 'id: act').replace('get_user', 'suspend_user')}\n${note('done')}`).replace(
    'steps:\n',
    'limits: { time: 1m }\nsteps:\n',
  )
  bench = await Bench.open(playbook(`- id: first\n  skill: directory.get_user\n  with: { user: bob }\n${run()}`), { user: 'ada' }, [text])
  await bench.live(({ skill, input }) => {
    // Its time does not pass before it begins.
    bench.clock.advance((input as { user: string }).user === 'bob' ? 90_000 : 40_000)
    if (skill.id === 'suspend_user') throw new Crash()
    return done({ state: 'x' })
  })
  await bench.live(active)
  expect(await bench.ended()).toMatchObject({ failure: { code: 'run_timeout', step: 'again/say' } })
})

test('once it has ended, its time limit stops no later execution', async () => {
  const text = sub(`${look}\n- id: facts\n  set: { state: '{{ steps.look.output.state }}' }\n${note('{{ vars.state }}')}`).replace(
    'steps:\n',
    'limits: { time: 1m }\nsteps:\n',
  )
  const after = '- id: after\n  skill: directory.suspend_user\n  with: { user: bob }'
  bench = await Bench.open(playbook(`${run()}\n${after}`), { user: 'ada' }, [text])
  await bench.live(({ skill }) => {
    if (skill.id === 'suspend_user') throw new Crash()
    return done({ state: 'x' })
  })
  bench.clock.advance(600_000)
  await bench.live(active)
  expect(await bench.ended()).toMatchObject({ failure: null })
  expect(await notes()).toEqual(['x'])
})

test('its output may not exceed the limit of its caller', async () => {
  const text = sub(look, "inputs: { user: { type: string } }\noutputs: { a: '{{ steps.look.output }}', b: '{{ steps.look.output }}' }")
  bench = await Bench.open(playbook(run(), 'limits: { output: 1KiB }'), { user: 'ada' }, [text])
  await bench.live(() => done({ state: 'x'.repeat(600) }))
  expect(await bench.ended()).toMatchObject({ failure: { code: 'output_too_large', step: 'again' } })
})

test('may run other sub-playbooks, and has its own slots', async () => {
  const inner = sub(
    look,
    "inputs: { user: { type: string } }\nconnections: { dir: { integration: directory } }\noutputs: { bound: '{{ connections.dir.instance }}' }",
    'inner',
  )
  const outer = sub(
    `- id: deeper\n  playbook: inner\n  with: { user: '{{ inputs.user }}' }`,
    "inputs: { user: { type: string } }\noutputs: { bound: '{{ steps.deeper.output.bound }}' }",
  )
  bench = await Bench.open(playbook(`${run()}\n${note('{{ steps.again.output.bound }}')}`), { user: 'ada' }, [outer, inner])
  await bench.live(active)
  expect(await notes()).toEqual(['dir-prod'])
  const { pins } = await bench.ended()
  expect(Object.keys(pins.playbooks).sort()).toEqual(['inner', 'recheck'])
  expect(Object.keys(pins.connections).sort()).toEqual(['directory', 'inner/dir'])
  expect((await bench.records()).flatMap((record) => ('address' in record ? [record.address] : []))).toContain('again/deeper/look')
})

test('a run that dies at any call in it reaches the same end', async () => {
  const text = sub(
    `${look}\n- id: act\n  skill: directory.suspend_user\n  with: { user: '{{ inputs.user }}' }`,
    "inputs: { user: { type: string } }\noutputs: { state: '{{ steps.look.output.state }}' }",
  )
  const steps = playbook(
    `- id: each\n  foreach: [ada, bob]\n  as: user\n  concurrency: 2\n  steps:\n    - id: again\n      playbook: recheck\n      with: { user: '{{ user }}' }\n- id: all\n  case: { finding: { title: all, risk: low, evidence: '{{ steps.each.output.items }}' } }`,
  )
  const evidence = async (): Promise<Json | undefined> => {
    const found = (await bench.case()).timeline.find(({ body }) => body.kind === 'finding')
    return found?.body.kind === 'finding' ? found.body.evidence : undefined
  }
  bench = await Bench.open(steps, {}, [text])
  await bench.live(active)
  const expected = await evidence()
  expect(JSON.stringify(expected)).toMatch(/ada is active.*bob is active/)
  for (let death = 1; death <= 4; death++) {
    await bench.close()
    bench = await Bench.open(steps, {}, [text])
    await bench.live((call, number) => {
      if (number === death) throw new Crash()
      return active(call, number)
    })
    await bench.live(active)
    expect(await evidence()).toEqual(expected)
    expect([...new Set(bench.called.filter((called) => called.startsWith('suspend')))].sort()).toEqual(['suspend_user ada', 'suspend_user bob'])
  }
})

test('if it waits, the run sleeps and is woken to end it by its own time limit', async () => {
  const text = sub('- id: cool\n  wait: { for: 1h }\n- id: say\n  case: { note: rested }', '')
  bench = await Bench.open(playbook('- id: again\n  playbook: recheck'), {}, [text])
  const began = bench.clock.now()
  expect(await bench.live(active)).toBe(false)
  expect((await bench.ended()).wakeAt).toBe(began + 3_600_000)
  bench.clock.advance(3_600_000)
  expect(await bench.live(active)).toBe(true)
  expect(await notes()).toEqual(['rested'])
  await bench.close()
  bench = await Bench.open(playbook('- id: again\n  playbook: recheck'), {}, [text.replace('steps:\n', 'limits: { time: 30m }\nsteps:\n')])
  expect(await bench.live(active)).toBe(false)
  expect((await bench.ended()).wakeAt).toBe(bench.clock.now() + 1_800_001)
  bench.clock.advance(1_800_001)
  expect(await bench.live(active)).toBe(true)
  expect(await bench.ended()).toMatchObject({ state: 'failed', failure: { code: 'run_timeout', step: 'again/cool' } })
})

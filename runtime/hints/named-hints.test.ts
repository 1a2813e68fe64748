import { expect, test } from 'vitest'
import { ManualClock } from '../../test/support/clocks/manual-clock.ts'
import { NamedHints } from './named-hints.ts'
import type { Topic, TopicListener } from './topic.ts'

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

function harness() {
  const clock = new ManualClock()
  const sent: (readonly string[] | 'missed')[] = []
  const arrived: PromiseWithResolvers<void>[] = []
  let joined = 0
  let listener: TopicListener | null = null
  const under = (message: readonly string[] | 'missed'): Promise<void> => {
    sent.push(message)
    const arrival = Promise.withResolvers<void>()
    arrived.push(arrival)
    return arrival.promise
  }
  const topic: Topic & { wanted: boolean } = {
    wanted: true,
    listen: (one) => {
      listener = one
    },
    join: async () => {
      joined += 1
    },
    leave: () => {
      joined -= 1
    },
    alone: false,
    ask: async () => {},
    send: (text) => under(JSON.parse(text) as readonly string[]),
    sendMissed: () => under('missed'),
  }
  const hints = new NamedHints(topic, clock)
  const heard: string[] = []
  const listen = () => hints.listen({ named: (names) => heard.push(...names), missed: () => heard.push('missed') })
  const arrive = async (): Promise<void> => {
    arrived.shift()?.resolve()
    await settled()
  }
  return { clock, topic, hints, sent, heard, listen, arrive, joined: () => joined, receive: (text: string) => listener?.received(text) }
}

test('the first name is sent at once; what is told meanwhile becomes one message, each name once', async () => {
  const { hints, sent, arrive } = harness()
  for (const name of ['a', 'b', 'c', 'b']) hints.tell(name)
  expect(sent).toEqual([['a']])
  await arrive()
  expect(sent).toEqual([['a'], ['b', 'c']])
  await arrive()
  hints.tell('d')
  expect(sent.at(-1)).toEqual(['d'])
})

test('a flood of names becomes one message that says: look for yourself', async () => {
  const { hints, sent, arrive } = harness()
  for (let index = 0; index < 100_000; index++) hints.tell(`n${index}`)
  await arrive()
  await arrive()
  expect(sent).toEqual([['n0'], 'missed'])
})

test('without another process that listens, nothing is sent, and listeners of this process hear everything', () => {
  const { topic, hints, sent, heard, listen } = harness()
  topic.wanted = false
  listen()
  hints.tell('a')
  expect([sent, heard]).toEqual([[], ['a']])
})

test('the listener learns that it may have missed something once others know of it, and of messages that cannot be read', async () => {
  const { heard, listen, receive } = harness()
  listen()
  await settled()
  expect(heard).toEqual(['missed'])
  for (const text of ['{', '{}', '[1]']) receive(text)
  expect(heard).toEqual(['missed', 'missed', 'missed', 'missed'])
})

test('the process leaves a minute after its last listener, and not if another one comes', () => {
  const { clock, listen, joined } = harness()
  const leave = listen()
  leave()
  clock.advance(59_999)
  const leaveAgain = listen()
  clock.advance(120_000)
  expect(joined()).toBe(1)
  leaveAgain()
  clock.advance(60_000)
  expect(joined()).toBe(0)
})

import { buffer } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { eachTest } from './support/each-test.ts'
import { plant, type Site } from './support/site.ts'
import type { Target } from './support/target.ts'

let site: Site
let target: Target
eachTest((...made) => {
  ;[site, target] = made
})

test('an agent that stops gets no more streams, lets the open ones end, and then ends', async () => {
  const { tunnel } = await site.agent([target.entry])
  const open = await site.route(plant).open('127.0.0.1', target.port)
  tunnel.leave()
  await expect.poll(() => site.online.draining).toBe(true)
  await expect(site.route(plant).open('127.0.0.1', target.port)).rejects.toMatchObject({ code: 'agent_offline' })
  open.end('the end of a call')
  expect((await buffer(open)).toString()).toBe('the end of a call')
  await tunnel.gone
  await expect.poll(() => site.roster.all).toEqual([])
})

test('a runtime that stops asks its agents to go elsewhere, and lets open streams end', async () => {
  const { tunnel } = await site.agent([target.entry])
  const open = await site.route(plant).open('127.0.0.1', target.port)
  site.online.leave()
  await tunnel.left
  open.end('the end of a call')
  expect((await buffer(open)).toString()).toBe('the end of a call')
})

test('cutting an agent ends its tunnel and its streams at once, and its connections to systems', async () => {
  const { tunnel } = await site.agent([target.entry])
  const open = await site.route(plant).open('127.0.0.1', target.port)
  site.roster.cut(site.online.arrival.agent.id)
  await tunnel.gone
  await expect(buffer(open)).rejects.toMatchObject({ code: 'ECONNRESET' })
  await expect.poll(() => target.sockets[0]?.destroyed).toBe(true)
  expect(site.roster.all).toEqual([])
})

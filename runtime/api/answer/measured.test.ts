import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { expect, test } from 'vitest'
import type { MediaType } from '../operation.ts'
import { measured } from './measured.ts'

test.each([
  ['a usual request', undefined, 1],
  ['a text', ['text/plain'], 1],
  ['a live stream, which lasts as long as somebody watches', ['text/event-stream'], 0],
] as const)('%s', (_what, answers: readonly MediaType[] | undefined, times) => {
  const counted: object[] = []
  const hook = measured({ answered: (request) => void counted.push(request) })
  const request = { method: 'GET', routeOptions: { url: '/x/:id', config: { operation: { answers } } } } as unknown as FastifyRequest
  let done = 0
  hook.call({} as FastifyInstance, request, { statusCode: 200, elapsedTime: 7 } as FastifyReply, () => {
    done += 1
  })
  expect(counted).toEqual(Array.from({ length: times }, () => ({ method: 'GET', route: '/x/:id', status: 200, lasted: 7 })))
  expect(done).toBe(1)
})

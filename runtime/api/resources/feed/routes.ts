import { TocsinError } from '../../../errors/index.ts'
import { changeKinds, feedObjects, seesAny } from '../../../feed/index.ts'
import { Type } from '../../../schema/index.ts'
import { onEveryAnswer } from '../../answer/index.ts'
import { callerOf, ownerOf, presentedKey } from '../../auth/index.ts'
import type { Api, ApiContext } from '../../context.ts'
import { operation } from '../../operation.ts'
import { nullable, oneOf } from '../../schemas.ts'
import { Seats } from './seats.ts'
import { FeedStream } from './stream.ts'

/** The data of a `change` event. */
export const FeedChangesSchema = Type.Object(
  {
    changes: Type.Array(
      Type.Object({
        object: oneOf(feedObjects),
        id: nullable(Type.String({ description: 'The id under which the API has it. Null: very many objects of this kind changed.' })),
        change: oneOf(changeKinds),
      }),
    ),
  },
  { $id: 'FeedChanges', description: 'The data of a `change` event: which objects changed. Read them to see how.' },
)

/** Longer than any id of an event. */
const maxId = 200

const headers = {
  ...onEveryAnswer,
  'content-type': 'text/event-stream; charset=utf-8',
  // Reverse proxies must pass each event on at once.
  'x-accel-buffering': 'no',
}

/** Adds `GET /platformapi/feed`, a stream of what changes (server-sent events). */
export function feedRoutes(app: Api, context: ApiContext): void {
  const { feed, clock } = context.services
  const seats = new Seats()
  app.addSchema(FeedChangesSchema)

  app.get(
    '/platformapi/feed',
    {
      ...operation(
        context,
        {
          id: 'feed',
          tag: 'service',
          summary: 'Learn at once which objects have changed',
          description:
            'A stream of server-sent events. `change` names objects that changed, and never says how: read them. `refresh` says that changes may have been missed: read everything again. After a cut, a client that sends the id of its last event misses nothing, or gets `refresh`. Needs any key; the key learns only of objects that it may read.',
          permission: 'any',
          errors: ['feed_full'],
          answers: ['text/event-stream'],
        },
        {
          querystring: Type.Object({
            after: Type.Optional(
              Type.String({ maxLength: maxId, description: 'The id of the last event, for clients that cannot send the header Last-Event-ID.' }),
            ),
          }),
          response: { 200: Type.Ref('FeedChanges#') },
        },
      ),
      exposeHeadRoute: false,
    },
    (request, reply) => {
      const caller = callerOf(request)
      const { principal } = caller
      if (!seesAny(principal)) throw new TocsinError('permission_missing', 'The feed needs at least one scope that reads something.')
      const key = presentedKey(request.headers)
      const leave = seats.take(principal.id, ownerOf(principal))
      reply.hijack()
      const { raw } = reply
      // A client that went away while its key was checked closes nothing any more.
      if (raw.destroyed) return leave()
      raw.once('close', leave)
      raw.writeHead(200, headers)
      const last = request.headers['last-event-id'] ?? request.query.after
      const verify = () => (key === null ? null : context.keys.verify(key))
      new FeedStream(raw, typeof last === 'string' ? last : null, { feed, clock, caller, verify, closing: context.closing })
    },
  )
}

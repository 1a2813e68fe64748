import { type Static, Type } from '../../schema/index.ts'
import { auth } from './auth.ts'
import { credential } from './credentials.ts'
import { pagination } from './pagination.ts'
import {
  base,
  closed,
  condition,
  duration,
  durationUpTo,
  errorRow,
  expect,
  headers,
  method,
  name,
  path,
  query,
  size,
  template,
  templated,
  text,
  words,
} from './shared.ts'

const probe = { method, path, query: Type.Optional(query), headers: Type.Optional(headers), base: Type.Optional(base) }

const retry = closed({
  attempts: Type.Integer({ minimum: 1, maximum: 20, description: 'The number of tries, including the first.' }),
  backoff: words(['constant', 'exponential']),
  delay: durationUpTo('1h'),
  max_delay: Type.Optional(durationUpTo('1h')),
  on: Type.Array(name, { minItems: 1, description: "The error codes to retry: the registry's and the manifest's." }),
})

const quote = closed({
  quote: Type.String({ minLength: 1, maxLength: 1 }),
  escape: Type.String({ minLength: 1, maxLength: 1 }),
})

const setup = closed({
  steps: Type.Optional(Type.Array(text)),
  scopes: Type.Optional(Type.Array(text)),
  limits: Type.Optional(Type.Array(text)),
})

/** A connector: `plugins/<id>/manifest.yaml`. */
export const manifest = Type.Object(
  {
    format: Type.Literal(1),
    id: name,
    name: text,
    vendor: closed({ name: text, api: text, docs: Type.Optional(Type.String({ format: 'uri' })) }),
    version: Type.String({ pattern: '^[0-9]+\\.[0-9]+\\.[0-9]+$', 'x-fault': 'must be a version, such as 1.2.0' }),
    categories: Type.Array(name, { minItems: 1 }),
    credentials: Type.Array(credential, { minItems: 1, description: 'The connection form, in this order.' }),
    paste: Type.Optional(
      Type.Array(
        closed(
          { format: words(['properties']), map: Type.Record(name, text) },
          "A vendor's file that fills several fields. Maps each field to a key in the file.",
        ),
      ),
    ),
    origins: Type.Array(template, { minItems: 1, description: 'The only origins that requests of this connection may go to.' }),
    derived_origins: Type.Optional(
      Type.Array(
        closed({
          from: Type.String({ pattern: '^token\\.[A-Za-z0-9_-]+$', 'x-fault': 'must be `token.` and a member of the token answer' }),
          allow: Type.String({
            pattern: '^(\\*\\.)?[a-z0-9-]+(\\.[a-z0-9-]+)+$',
            description: 'A host name. `*.` matches one or more labels.',
            'x-fault': 'must be a host name in lower case, such as api.example.com or *.my.example.com',
          }),
        }),
        {
          description:
            "A URL in the token answer that becomes the origin of requests. It must be HTTPS, and be on the host of one of the connection's own origins or match a pattern.",
        },
      ),
    ),
    auth,
    request: Type.Optional(
      closed({
        base: Type.Optional(closed({ credential: name }, 'A plain credential field of type url. Its path precedes base_path.')),
        base_path: Type.Optional(
          Type.String({
            pattern: '^/',
            description: 'May read plain credential fields and `detected.<name>`.',
            'x-fault': 'must begin with `/`',
          }),
        ),
        headers: Type.Optional(Type.Record(text, Type.String())),
        timeout: Type.Optional(durationUpTo('10m')),
        write_timeout: Type.Optional({
          ...durationUpTo('2m'),
          description:
            'The time-out of a request that may change something. After it, people are asked about the write, so make it as short as the system allows. Default: `timeout`, at most 1m.',
        }),
        max_response: Type.Optional(size),
        paginate: Type.Optional(pagination),
      }),
    ),
    detect: Type.Optional(
      Type.Record(
        name,
        closed({
          pinned: Type.Optional(closed({ credential: name }, 'A plain field. If it has a value, that is used and nothing is asked.')),
          request: closed({ method: words(['GET']), path, query: Type.Optional(query), auth: Type.Optional(words(['none'])) }),
          select: Type.String({ minLength: 1, description: 'A template over `body` that gives one text or number.' }),
          keep: duration,
        }),
        {
          description:
            'What to ask the external system before other requests, for `detected.<name>` in base_path. The path is directly below the origin.',
        },
      ),
    ),
    test: closed(
      {
        request: closed({ ...probe, body: Type.Optional(templated) }),
        expect: Type.Optional(expect),
        accept: Type.Optional(Type.Array(name, { description: 'Error codes that also prove that the credentials work.' })),
        warn: Type.Optional(
          Type.Array(closed({ when: condition, code: name, cause: text, remedy: text }), {
            description: 'Warnings after a successful test. The first row that matches the body is shown.',
          }),
        ),
      },
      'Proves the credentials.',
    ),
    reachability: Type.Optional(
      closed({ request: closed({ ...probe, auth: Type.Optional(words(['none'])) }), expect: Type.Optional(expect), note: Type.Optional(text) }),
    ),
    roles: Type.Optional(
      Type.Array(Type.Array(name, { minItems: 1, uniqueItems: true }), {
        minItems: 1,
        description: 'Each line is ordered: a role includes the roles before it.',
      }),
    ),
    role_from: Type.Optional(
      closed(
        { request: closed(probe), select: text },
        "Sent when a connection is tested. The value at `select` in the answer is the connection's role, unless a person has entered one.",
      ),
    ),
    rate_limit: Type.Optional(
      closed({
        per: words(['connection']),
        requests: Type.Integer({ minimum: 1 }),
        interval: durationUpTo('1d'),
        burst: Type.Optional(Type.Integer({ minimum: 0 })),
      }),
    ),
    retry: Type.Optional(retry),
    quoting: Type.Optional(Type.Record(name, quote, { description: 'Filters that escape alert text for a query language.' })),
    errors: Type.Optional(
      Type.Array(errorRow, {
        description:
          "Names the failures of this API. The first match wins. `when` is a JSON Logic rule over status, headers, body, code and message (the vendor's own, wherever the body has them), and the request's method and path.",
      }),
    ),
    setup: Type.Optional(setup),
  },
  { additionalProperties: false, title: 'Tocsin connector manifest' },
)
export type ManifestDocument = Static<typeof manifest>
export type ErrorRowDocument = Static<typeof errorRow>

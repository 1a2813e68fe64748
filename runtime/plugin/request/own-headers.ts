/**
 * Headers that a plugin must not set, in lower case. They decide where a request goes and where it
 * ends, or they carry credentials. With `host` alone, a plugin could make a shared front end pass
 * the request and its credentials to another tenant of it. `accept-encoding` and `range` are here
 * because encoded or partial answers are not searched for secrets.
 */
export const ownHeaders: ReadonlySet<string> = new Set(
  'host authorization cookie accept-encoding range content-length transfer-encoding connection keep-alive upgrade expect te trailer proxy-authorization proxy-connection'.split(
    ' ',
  ),
)

/**
 * Headers that no plugin sets, in lower case: those that decide to whom a request goes and where it ends, and those in which credentials
 * travel. `host` alone would have a shared front end pass the request, with the connection's credentials, to somebody else. An answer that
 * comes encoded or in pieces is not searched for secrets.
 */
export const ownHeaders: ReadonlySet<string> = new Set(
  'host authorization cookie accept-encoding range content-length transfer-encoding connection keep-alive upgrade expect te trailer proxy-authorization proxy-connection'.split(
    ' ',
  ),
)

import type { ErrorEntry } from './entry.ts'

/** Errors about keys and permissions. */
export const callers = {
  key_missing: {
    status: 401,
    title: 'No API key was sent',
    cause: 'The request has neither the cookie Session nor an Authorization: Bearer header.',
    remedy: 'Send Cookie: Session=<API key>.',
  },
  key_rejected: {
    status: 401,
    title: 'The API key is not valid',
    cause: 'The key is mistyped, was revoked, has expired, or belongs to another installation.',
    remedy: 'Use a key that is listed and neither revoked nor expired, or create one.',
  },
  key_attempts_exceeded: {
    status: 429,
    title: 'Too many wrong API keys',
    cause: 'This client address, or all clients together, sent too many API keys that do not work. Tocsin does not check keys for a while.',
    remedy:
      'Wait as long as Retry-After says, then send a valid key. Behind a proxy, set TOCSIN_TRUSTED_PROXIES so that Tocsin sees the address of each client.',
  },
  feed_full: {
    status: 429,
    title: 'Too many streams are open',
    cause: 'The key, its organization or all clients together have as many open streams of the feed as one process allows.',
    remedy: 'Close streams that nobody needs, then try again after Retry-After.',
  },
  permission_missing: {
    status: 403,
    title: 'The key may not do this',
    cause: "The key's principal lacks the scope that the operation needs.",
    remedy: 'Use a key with that scope.',
  },
  key_too_powerful: {
    status: 403,
    title: 'The key may do too much to be part of an address',
    cause: 'Addresses end up in logs and settings that others read. So a key in the address of an alert source may only have the scope alerts:write.',
    remedy: 'Create a key with that scope alone: tocsin key create --scopes alerts:write.',
  },
  organization_forbidden: {
    status: 403,
    title: 'The key may not act for all organizations',
    cause: 'The operation concerns every organization, or grants more than the key itself has.',
    remedy: 'Use a key of all organizations.',
  },
  keys_exceeded: {
    status: 409,
    title: 'There are too many API keys',
    cause: 'At most 500 keys may be valid for one organization, and 500 more for all. Revoked and expired keys do not count.',
    remedy: 'Revoke one that nobody needs: tocsin key list, tocsin key revoke <id>.',
  },
  key_unknown: {
    status: 404,
    title: 'There is no such API key',
    cause: 'No key that the caller may see has this id.',
    remedy: 'List the keys: tocsin key list.',
  },
} as const satisfies Record<string, ErrorEntry>

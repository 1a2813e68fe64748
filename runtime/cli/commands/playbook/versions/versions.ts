import { TocsinError } from '../../../../errors/index.ts'
import { type Answer, listAll, type Target } from '../../../client.ts'
import { type PlaceOptions, placePath, placeQuery } from './place.ts'

/**
 * Finds the digest of a version that a person names: by its revision, its digest, or the beginning of the digest (with or without `sha256:`).
 * @throws TocsinError `playbook_version_unknown`
 */
export async function digestNamed(target: Target, key: string, options: PlaceOptions, name: string): Promise<string> {
  const history: Answer[] = []
  for await (const each of listAll(target, placePath(key, `/history${placeQuery(options, { limit: '1000' })}`))) history.push(each)
  if (/^\d+$/.test(name)) {
    const found = history.find((each) => each['revision'] === Number(name))
    if (found) return String(found['digest'])
    throw unknown(`${key} has no revision ${name}. It has revisions 1 to ${history.length}.`)
  }
  const beginning = name.replace(/^sha256:/, '').toLowerCase()
  const digests = [...new Set(history.map((each) => String(each['digest'])))].filter((digest) => digest.startsWith(`sha256:${beginning}`))
  const [only] = digests
  if (only !== undefined && digests.length === 1) return only
  throw unknown(
    only === undefined
      ? `${key} has no version with the digest ${name}.`
      : `The digests of ${digests.length} versions of ${key} begin with ${name}. Give more of the digest.`,
  )
}

function unknown(message: string): TocsinError {
  return new TocsinError('playbook_version_unknown', message)
}

/** Shortens a digest for a list. It is still long enough to be unique. */
export function shortDigest(digest: unknown): string {
  return String(digest)
    .replace(/^sha256:/, '')
    .slice(0, 12)
}

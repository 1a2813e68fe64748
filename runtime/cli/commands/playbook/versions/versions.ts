import { TocsinError } from '../../../../errors/index.ts'
import { type Answer, listAll, type Target } from '../../../client.ts'
import { type PlaceOptions, placePath, placeQuery } from './place.ts'

/**
 * The digest of a text of a place, as a person names it: a revision, a digest, or how it begins (with or without `sha256:`).
 * @throws TocsinError `playbook_version_unknown`
 */
export async function digestNamed(target: Target, key: string, options: PlaceOptions, name: string): Promise<string> {
  const history: Answer[] = []
  for await (const each of listAll(target, placePath(key, `/history${placeQuery(options, { limit: '1000' })}`))) history.push(each)
  if (/^\d+$/.test(name)) {
    const found = history.find((each) => each['revision'] === Number(name))
    if (found) return String(found['digest'])
    throw unknown(`${key} has no revision ${name}; it has 1 to ${history.length}.`)
  }
  const beginning = name.replace(/^sha256:/, '').toLowerCase()
  const digests = [...new Set(history.map((each) => String(each['digest'])))].filter((digest) => digest.startsWith(`sha256:${beginning}`))
  const [only] = digests
  if (only !== undefined && digests.length === 1) return only
  throw unknown(only === undefined ? `${key} never had a text ${name}.` : `${digests.length} texts of ${key} begin with ${name}.`)
}

function unknown(message: string): TocsinError {
  return new TocsinError('playbook_version_unknown', message)
}

/** A digest as a list shows it: long enough to be told from others. */
export function shortDigest(digest: unknown): string {
  return String(digest)
    .replace(/^sha256:/, '')
    .slice(0, 12)
}

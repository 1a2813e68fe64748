import { noSuchResource, Refused } from '../replies.ts'

/** Versions from 31.0 on. The last three have the names that the vendor gave them. */
export const versions = Array.from({ length: 37 }, (_, index) => String(index + 31)).map((number) => ({
  label: { '65': "Winter '26", '66': "Spring '26", '67': "Summer '26" }[number] ?? `Release ${number}`,
  url: `/services/data/v${number}.0`,
  version: `${number}.0`,
}))

/**
 * Returns `66.0` for the segment `v66.0`. Raises NOT_FOUND if it is not a version, and
 * UNSUPPORTED_API_VERSION if the version was retired.
 */
export function versionIn(segment: string): string {
  const number = /^v(\d+\.0)$/.exec(segment)?.[1]
  if (number === undefined) throw noSuchResource()
  if (Number(number) < 31) throw new Refused(410, 'UNSUPPORTED_API_VERSION', `API version ${number} has been retired`)
  if (!versions.some(({ version }) => version === number)) throw noSuchResource()
  return number
}

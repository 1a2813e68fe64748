/** An entry of the list of versions (`GET /services/data/`). */
export interface Version {
  readonly version: string
  readonly label?: string
  readonly url?: string
}

export interface Release {
  /** `67.0` */
  readonly version: string
  /** `Summer '26` */
  readonly label: string
  readonly season: string
  readonly year: number
  /** The vendor's number of the release, for example 262. */
  readonly release: number
  readonly url: string
}

const seasons = ['Winter', 'Spring', 'Summer'] as const

/** Returns the newest version in a list, or null if the list is empty. */
export function latestOf(versions: readonly Version[]): Version | null {
  const known = versions.filter((one: Partial<Version> | null) => /^\d{1,3}\.\d$/.test(one?.version ?? ''))
  return known.reduce<Version | null>((latest, one) => (latest && Number(latest.version) >= Number(one.version) ? latest : one), null)
}

/**
 * Returns the release of an API version. There are three releases a year, and Winter '26 is 65.0.
 * Release numbers go up by two: 65.0 belongs to release 258. If the vendor's label names season and
 * year, these are used instead.
 */
export function releaseOf({ version, label }: Version): Release {
  const number = Math.trunc(Number(version))
  const since = number - 65
  const [, named, digits] = /^(Winter|Spring|Summer) ['’](\d\d)$/.exec(label?.trim() ?? '') ?? []
  const season = named ?? seasons[((since % 3) + 3) % 3] ?? 'Winter'
  const year = digits === undefined ? 2026 + Math.floor(since / 3) : 2000 + Number(digits)
  const release = 258 + 2 * since
  return {
    version,
    label: label ?? `${season} '${String(year % 100).padStart(2, '0')}`,
    season,
    year,
    release,
    url: `https://help.salesforce.com/s/articleView?id=release-notes.salesforce_release_notes.htm&release=${release}&type=5`,
  }
}

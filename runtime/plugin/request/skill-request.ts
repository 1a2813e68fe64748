import type { Json } from '../../domain/index.ts'

/** A request as a skill describes it. The host makes the URL, signs it and sends it. */
export interface SkillRequest {
  readonly method: string
  /**
   * The path below the manifest's base path, or below the origin (see `base`). Every inserted value
   * is percent-encoded. With `next_url` paging it may be an absolute URL.
   */
  readonly path: string
  readonly query: readonly (readonly [string, string])[]
  readonly headers: Readonly<Record<string, string>>
  readonly body: Json | undefined
  /**
   * From `next_url` paging: the next page's URL as the answer gave it. Resolved against the URL of
   * this request.
   */
  readonly next?: string
  /** `none`: sent without credentials. */
  readonly auth?: 'none'
  /** `none`: directly below the origin, without the manifest's base path. */
  readonly base?: 'none'
}

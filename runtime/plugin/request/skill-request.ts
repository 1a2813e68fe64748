import type { Json } from '../../domain/index.ts'

/** A request as a skill describes it; the host makes the URL, signs it and sends it. */
export interface SkillRequest {
  readonly method: string
  /** Below the manifest's base path (or the origin, see `base`), every inserted value percent-encoded; or, from `next_url` paging, an absolute URL. */
  readonly path: string
  readonly query: readonly (readonly [string, string])[]
  readonly headers: Readonly<Record<string, string>>
  readonly body: Json | undefined
  /** From `next_url` paging: the page's address as the answer gave it, resolved against that of the rest of this request. */
  readonly next?: string
  /** `none`: sent without credentials. */
  readonly auth?: 'none'
  /** `none`: below the origin, without the manifest's base path. */
  readonly base?: 'none'
}

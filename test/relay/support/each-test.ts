import { afterEach, beforeEach } from 'vitest'
import { Site } from './site.ts'
import { Target } from './target.ts'

/** Makes a site and a target for each test of the file, and closes them afterwards. @param take gets them before the test begins */
export function eachTest(take: (site: Site, target: Target) => void): void {
  let site: Site
  let target: Target
  beforeEach(async () => {
    site = new Site()
    await site.open()
    target = await new Target().open()
    take(site, target)
  })
  afterEach(async () => {
    await site.close()
    await target.close()
  })
}

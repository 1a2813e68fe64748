import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Folders whose files last longest, from the longest. A long file that starts last would leave the other workers without work. */
const longest = ['test/bombs/', 'test/simulation/', 'test/faults/', 'test/conformance/', 'test/console/', 'test/e2e/']

function rankOf({ moduleId }: TestSpecification): number {
  const rank = longest.findIndex((folder) => moduleId.includes(`/${folder}`))
  return rank < 0 ? longest.length : rank
}

/** Begins with the files that last longest, also on a machine that has never run the tests. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).toSorted((one, other) => rankOf(one) - rankOf(other))
  }
}

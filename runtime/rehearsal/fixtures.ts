import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { isObject, type Json } from '../domain/index.ts'
import { type ErrorPlace, messageOf, TocsinError } from '../errors/index.ts'
import type { Plugin } from '../plugin/index.ts'

/** The recorded examples in plugins, `<plugin>/fixtures/<name>.json`. */
export interface Fixtures {
  names(integration: string): readonly string[]
  /**
   * Returns the skill's output for a recorded answer. Undefined if there is no such fixture.
   * @throws TocsinError `file_unreadable`
   */
  output(integration: string, name: string): Json | undefined
}

/** @param folders one folder for each plugin */
export function readFixtures(folders: readonly string[]): Fixtures {
  const folderOf = new Map(folders.map((folder) => [basename(folder), join(folder, 'fixtures')]))
  const names = (integration: string): readonly string[] => {
    const folder = folderOf.get(integration)
    try {
      return folder === undefined ? [] : readdirSync(folder).flatMap((name) => (name.endsWith('.json') ? [name.slice(0, -'.json'.length)] : []))
    } catch {
      // A plugin may have no fixtures.
      return []
    }
  }
  return {
    names,
    output(integration, name) {
      if (!names(integration).includes(name)) return undefined
      const file = join(folderOf.get(integration) ?? '', `${name}.json`)
      try {
        const fixture = readFixture(file)
        return isObject(fixture) ? fixture['output'] : undefined
      } catch (error) {
        throw new TocsinError('file_unreadable', `${file}: ${messageOf(error)}`, [], { cause: error })
      }
    },
  }
}

/** @throws the file system's errors; SyntaxError */
function readFixture(file: string): Json {
  return JSON.parse(readFileSync(file, 'utf8')) as Json
}

/** Returns what is wrong with the fixtures in a plugin's folder. Tests of playbooks would refuse them, and those of the plugin fail. */
export function fixtureFaults(folder: string, { id, skills }: Plugin): readonly ErrorPlace[] {
  const fixtures = readFixtures([folder])
  return fixtures.names(id).flatMap((name) => {
    const file = join(folder, 'fixtures', `${name}.json`)
    const users = [...skills.values()].filter(({ document }) => document.examples?.some(({ fixture }) => fixture === name) === true)
    return faultsOf(file, (output) =>
      users.flatMap((skill) => skill.checkOutput(output).map((fault) => `is not what ${id}.${skill.id} returns: ${fault}`)),
    )
  })
}

function faultsOf(file: string, faultsOfOutput: (output: Json) => readonly string[]): readonly ErrorPlace[] {
  const at = (field: string, message: string, line = 1, column = 1): ErrorPlace => ({ file, line, column, field, message })
  let fixture: Json
  try {
    fixture = readFixture(file)
  } catch (error) {
    const [, line, column] = /\(line (\d+) column (\d+)\)$/.exec(messageOf(error)) ?? []
    return [at('', messageOf(error), Number(line ?? 1), Number(column ?? 1))]
  }
  if (!isObject(fixture)) return [at('', 'must be an object with `exchanges` and `output`')]
  const { exchanges, output } = fixture
  const exchanged = Array.isArray(exchanges) && exchanges.every((one) => isObject(one) && isObject(one['request']) && isObject(one['answer']))
  return [
    ...(exchanged ? [] : [at('exchanges', 'must be a list of objects with `request` and `answer`')]),
    ...(output === undefined ? [at('output', 'is missing')] : faultsOfOutput(output).map((fault) => at('output', fault))),
  ]
}

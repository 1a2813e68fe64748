import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { isObject, type Json } from '../domain/index.ts'
import { readYaml } from '../yaml/index.ts'
import { playbookFiles, readPlaybook } from './files.ts'
import { playbookLimits } from './limits.ts'

/** A playbook that ships with Tocsin, to begin from. */
export interface PlaybookTemplate {
  readonly name: string
  readonly description: string
  /** As written. Empty: it is a sub-playbook. */
  readonly alertTypes: readonly string[]
  /** The integrations of its slots. `optional`: it works without the connection. */
  readonly integrations: readonly { readonly slot: string; readonly integration: string; readonly optional: boolean }[]
  readonly text: string
  /** The text of its tests. Null: it has none. */
  readonly tests: string | null
}

const shipped = fileURLToPath(new URL('../../playbooks/', import.meta.url))

/** Reads the playbooks that ship with Tocsin, by name. @throws TocsinError `file_unreadable` */
export async function shippedPlaybooks(): Promise<readonly PlaybookTemplate[]> {
  const files = await playbookFiles(shipped)
  return Promise.all(files.map(templateIn))
}

async function templateIn(file: string): Promise<PlaybookTemplate> {
  const text = withoutSchemaLine(await readPlaybook(file))
  const beside = file.replace(/\.yaml$/, '.test.yaml')
  const { value } = readYaml(text, file, playbookLimits)
  const document = isObject(value) ? value : {}
  const { playbook, description, alert_type: types, connections } = document
  return {
    name: textOf(playbook),
    description: textOf(description).trim(),
    alertTypes: Array.isArray(types) ? types.map(textOf) : types === undefined ? [] : [textOf(types)],
    integrations: slotsIn(connections),
    text,
    tests: existsSync(beside) ? withoutSchemaLine(await readPlaybook(beside)) : null,
  }
}

/** Removes the comment with the path of the schema. The path is wrong outside the folder. */
function withoutSchemaLine(text: string): string {
  return text.replace(/^# yaml-language-server:.*\n/, '')
}

function slotsIn(connections: Json | undefined): PlaybookTemplate['integrations'] {
  if (!isObject(connections)) return []
  return Object.entries(connections).flatMap(([slot, one]) =>
    isObject(one) ? [{ slot, integration: textOf(one['integration']), optional: one['optional'] === true }] : [],
  )
}

function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : ''
}

import type { Json } from '../../domain/index.ts'
import type { Plugin, Skill } from '../types.ts'
import { describeSchema, table } from './markdown.ts'

/** The README of a plugin's folder: everything in it comes from the manifest and the skills. */
export function renderReadme(plugin: Plugin): string {
  const { document } = plugin.manifest
  const { name, vendor, version, categories } = document
  const skills = [...plugin.skills.values()]
  const parts = [
    `# ${name}`,
    `<!-- Generated from manifest.yaml and skills/*.yaml by \`npm run generate\`; do not edit. -->`,
    `Integration \`${plugin.id}\`, version ${version}. ${vendor.name}, ${vendor.api}${vendor.docs === undefined ? '' : ` ([documentation](${vendor.docs}))`}. Categories: ${categories.join(', ')}.`,
    '## Connection',
    connectionTable(plugin),
    ...setupOf(plugin),
    ...warningsOf(plugin),
    ...rolesOf(plugin),
    '## Skills',
    table(
      ['Skill', 'Title', 'Impact', 'Minimum role', 'API'],
      skills.map(({ id, document: { title, impact, minimum_role, api } }) => [`[${id}](#${id})`, title, impact, code(minimum_role), api ?? '']),
    ),
    ...skills.flatMap((skill) => skillOf(plugin.id, skill)),
    ...errorsOf(plugin),
  ]
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`
}

function code(text: string | undefined): string {
  return text === undefined ? '' : `\`${text}\``
}

function connectionTable({ manifest: { document } }: Plugin): string {
  return table(
    ['Field', 'Label', 'Type', 'Needed', 'Secret', 'Help'],
    document.credentials.map((field) => [
      code(field.name),
      field.label,
      field.values === undefined ? field.type : `${field.type}: ${field.values.join(', ')}`,
      field.required ? 'yes' : 'no',
      field.secret ? 'yes' : 'no',
      [field.help, ...(field.rules ?? []).map(({ message }) => message), usedUnlessGiven(field.default), field.advanced ? 'Advanced.' : undefined]
        .filter((text) => text !== undefined)
        .join(' '),
    ]),
  )
}

function usedUnlessGiven(value: string | number | boolean | undefined): string | undefined {
  return value === undefined ? undefined : `Unless given: \`${value}\`.`
}

function setupOf({ manifest: { document } }: Plugin): string[] {
  const { steps = [], scopes = [], limits = [] } = document.setup ?? {}
  const bullets = (lines: readonly string[]): string => lines.map((line) => `- ${line}`).join('\n')
  return [
    ...(steps.length > 0 ? ['### Set-up', steps.map((step, at) => `${at + 1}. ${step}`).join('\n')] : []),
    ...(scopes.length > 0 ? ['### Scopes', bullets(scopes)] : []),
    ...(limits.length > 0 ? ["### The vendor's limits", bullets(limits)] : []),
  ]
}

/** What a connection test that went well may still say. */
function warningsOf({ manifest: { document } }: Plugin): string[] {
  const rows = (document.test.warn ?? []).map((row) => [code(row.code), row.cause, row.remedy])
  return rows.length === 0 ? [] : ['### When the test went well', 'It may still warn of this.', table(['Code', 'Cause', 'Remedy'], rows)]
}

function rolesOf({ manifest: { document } }: Plugin): string[] {
  if (document.roles === undefined) return []
  return ['### Roles', 'A role includes those before it.', document.roles.map((line) => `- ${line.map(code).join(' < ')}`).join('\n')]
}

function skillOf(integration: string, { id, document }: Skill): string[] {
  const { purpose, category, impact, minimum_role, requires, warnings = [], input, output, request, examples = [] } = document
  const minimum = minimum_role === undefined ? '' : ` Minimum role \`${minimum_role}\`.`
  const role = requires === undefined ? minimum : `${minimum} Needs ${requires}.`
  return [
    `### ${id}`,
    purpose,
    `\`${integration}.${id}\`: ${category.replaceAll('_', ' ')}, impact ${impact}.${role} ${request ? `Calls \`${request.method} ${request.path}\`.` : `Code: [${id}.ts](skills/${id}.ts).`}`,
    warnings.map((warning) => `> ${warning}`).join('\n>\n'),
    ...targetOf(document),
    ...writeOf(document),
    ...ownErrors(document),
    'Input:',
    describeSchema(input),
    'Output:',
    describeSchema(output),
    ...examples.slice(0, 1).flatMap((example) => ['Example input:', jsonBlock(example.input)]),
  ]
}

/** What policies protect by; the expression itself, which names the inputs. */
function targetOf({ target }: Skill['document']): string[] {
  if (target === undefined) return []
  return [
    `Acts on ${[target]
      .flat()
      .map((one) => `\`${one}\``)
      .join(' and ')}.`,
  ]
}

function writeOf({ idempotent, verify, inverse }: Skill['document']): string[] {
  const meaning = {
    state: 'Setting the same values again changes nothing, so it may be repeated',
    key: 'The vendor recognises a repeat, so it may be repeated',
    none: 'It is never repeated by itself',
  }
  if (idempotent === undefined) return []
  const within = idempotent.repeat_within === undefined ? '' : ` within ${idempotent.repeat_within}`
  const asked = verify === undefined ? 'a person is asked' : `\`${verify.skill}\` is asked, and it is sent again${within} if it had not happened`
  const repeated = idempotent.by === 'none' ? '' : within
  const undone = inverse === undefined ? '' : ` Undone by \`${inverse.skill}\`${inverse.when === undefined ? '' : ', where its condition holds'}.`
  return [`${meaning[idempotent.by]}${repeated}. When its outcome is unknown, ${asked}.${undone}`]
}

function ownErrors({ handler }: Skill['document']): string[] {
  const rows = Object.entries(handler?.errors ?? {}).map(([own, { cause, remedy }]) => [code(own), cause, remedy])
  return rows.length === 0 ? [] : ['Error codes of this skill:', table(['Code', 'Cause', 'Remedy'], rows)]
}

function errorsOf({ manifest }: Plugin): string[] {
  if (manifest.errors.length === 0) return []
  const rows = manifest.errors.map((row) => [code(row.code), row.cause, row.remedy, row.effect])
  return ['## Errors', 'The effect is what a failed write may have changed.', table(['Code', 'Cause', 'Remedy', 'Effect'], rows)]
}

function jsonBlock(value: Json): string {
  return `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``
}

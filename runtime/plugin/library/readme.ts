import type { Json } from '../../domain/index.ts'
import type { Plugin, Skill } from '../types.ts'
import { describeSchema, table } from './markdown.ts'

/** Returns the README of a plugin's folder, made from the manifest and the skills. */
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
  return value === undefined ? undefined : `Default: \`${value}\`.`
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

/** Lists what a successful connection test may still warn about. */
function warningsOf({ manifest: { document } }: Plugin): string[] {
  const rows = (document.test.warn ?? []).map((row) => [code(row.code), row.cause, row.remedy])
  return rows.length === 0
    ? []
    : ['### Warnings of the connection test', 'A successful test may still warn about these.', table(['Code', 'Cause', 'Remedy'], rows)]
}

function rolesOf({ manifest: { document } }: Plugin): string[] {
  if (document.roles === undefined) return []
  return ['### Roles', 'A role includes the roles before it.', document.roles.map((line) => `- ${line.map(code).join(' < ')}`).join('\n')]
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

/** Shows what policies protect: the expression itself, which names the inputs. */
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
    state: 'Setting the same values again changes nothing, so the call may be repeated',
    key: 'The vendor recognises a repeated call, so it may be repeated',
    none: 'The call is never repeated automatically',
  }
  if (idempotent === undefined) return []
  const within = idempotent.repeat_within === undefined ? '' : ` within ${idempotent.repeat_within}`
  const asked =
    verify === undefined ? 'a person decides' : `\`${verify.skill}\` shows whether it happened. If it did not, Tocsin sends it again${within}`
  const repeated = idempotent.by === 'none' ? '' : within
  const undone = inverse === undefined ? '' : ` Undone by \`${inverse.skill}\`${inverse.when === undefined ? '' : ', if its condition is true'}.`
  return [`${meaning[idempotent.by]}${repeated}. If the outcome is unknown, ${asked}.${undone}`]
}

function ownErrors({ handler }: Skill['document']): string[] {
  const rows = Object.entries(handler?.errors ?? {}).map(([own, { cause, remedy }]) => [code(own), cause, remedy])
  return rows.length === 0 ? [] : ['Error codes of this skill:', table(['Code', 'Cause', 'Remedy'], rows)]
}

function errorsOf({ manifest }: Plugin): string[] {
  if (manifest.errors.length === 0) return []
  const rows = manifest.errors.map((row) => [code(row.code), row.cause, row.remedy, row.effect])
  return ['## Errors', 'The effect says whether a failed write may have changed something.', table(['Code', 'Cause', 'Remedy', 'Effect'], rows)]
}

function jsonBlock(value: Json): string {
  return `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``
}

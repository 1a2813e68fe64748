import { readdirSync, readFileSync } from 'node:fs'
import { settings } from '../../runtime/config/index.ts'
import { renderErrorReference } from '../../runtime/errors/reference.ts'
import { renderExpressionReference } from '../../runtime/expressions/reference/index.ts'
import { aboutProcess, type Definition, ofInstallation, ofProcess } from '../../runtime/metrics/index.ts'
import { editorSchema, findingRegistry, integrationsOf, namesIn, renderLintIndex, renderLintPage } from '../../runtime/playbook/authoring/index.ts'
import { type FindingCode, playbookFiles, readPlaybook } from '../../runtime/playbook/index.ts'
import { loadPluginFolder, loadPluginFolders, manifestSchema, renderReadme, skillSchema } from '../../runtime/plugin/index.ts'
import { policySchema } from '../../runtime/policy/index.ts'
import { playbookTestSchema } from '../../runtime/rehearsal/index.ts'
import { parseYaml } from '../../runtime/yaml/index.ts'
import { tidyLock } from './lock.ts'
import { renderWriteSkills } from './write-skills.ts'

export const root = new URL('../../', import.meta.url)

function schemaText(schema: object): string {
  return `${JSON.stringify(schema, null, 2)}\n`
}

/** Returns the schema for editors, with the shipped skills and playbooks. `tocsin playbook schema` makes one with your own. */
async function shippedEditorSchema(): Promise<object> {
  const plugins = await loadPluginFolders([new URL('plugins', root).pathname])
  const files = await playbookFiles(new URL('playbooks', root).pathname)
  const playbooks = await Promise.all(files.map(async (file) => parseYaml(await readPlaybook(file), file).value))
  return editorSchema({ integrations: integrationsOf(plugins), ...namesIn(playbooks) })
}

function configurationReference(): string {
  const rows = Object.values(settings).map(
    ({ variable, flag, fallback, help }) =>
      `| \`${variable}\` | ${flag === null ? '' : `\`--${flag}\``} | ${fallback ? `\`${fallback}\`` : ''} | ${help} |`,
  )
  return `# Configuration

\`tocsin up\`, \`serve\` and \`worker\` take these settings. A flag wins over its variable; an empty variable counts as absent. With neither \`MONGODB_URL\` nor \`REDIS_URL\` the
store and the queue are embedded; one of the two alone is an error. \`worker\` listens on port 8081 unless told otherwise, for health checks only.

| variable | flag | default | what it is |
|---|---|---|---|
${rows.join('\n')}

## Commands find the server

Commands that talk to a running Tocsin find the one that you run on this machine, whatever its port
and data folder are. Servers leave their addresses in \`~/.local/state/tocsin/running\`
(\`XDG_STATE_HOME\`). If several run, commands take the one with the data folder \`TOCSIN_DATA\` or
\`./data\`. These options name another:

| option | variable | what it names |
|---|---|---|
| \`--port\` | \`TOCSIN_PORT\` | the server on this machine that listens on this port |
| \`--data\` | | the server on this machine that has this data folder |
| \`--url\` | \`TOCSIN_URL\` | a server by its address, here or elsewhere |
| \`--key\` | \`TOCSIN_API_KEY\` | the API key; without it, the admin key in the server's data folder |
| | \`TOCSIN_CA_FILE\` | a CA that signed the certificate of an \`https://\` address, such as that of a proxy in front of Tocsin |

This page is generated from \`runtime/config/settings.ts\`.
`
}

function metricsReference(): string {
  const rowsOf = (group: Readonly<Record<string, Definition>>): string =>
    Object.values(group)
      .map(({ name, kind, labels, help }) => `| \`${name}\` | ${kind} | ${labels.map((label) => `\`${label}\``).join(', ')} | ${help} |`)
      .join('\n')
  return `# Metrics

\`GET /metrics\` says how Tocsin is doing, in the text format of Prometheus. Each process answers for itself:
\`serve\` and \`up\` on the port of the API, and \`worker\` on its own. [Running Tocsin](../guides/running.md)
has a configuration for Prometheus, and rules that wake somebody.

\`\`\`sh
tocsin key create Prometheus --scopes metrics:read
curl -s http://127.0.0.1:8080/metrics -H 'Authorization: Bearer tsk_…'
\`\`\`

- It needs a key with the scope \`metrics:read\`, for all organizations.
- While the store does not answer, a key that worked within the last hour is enough, even if
  somebody has revoked it since ([decision 139](../decisions/0139-metrics-without-the-store.md)).
- No label has a value that an alert, a tenant or an external system chooses.
- A histogram has \`_bucket\`, \`_sum\` and \`_count\`, in seconds.

## The whole installation

Each process reads these from the store, so each says the same. They may be 10 seconds old. In a query, take
\`max\` of them, not \`sum\`.

| metric | kind | labels | what it is |
|---|---|---|---|
${rowsOf(ofInstallation)}

## One process

Counters and histograms begin at 0 when the process starts.

| metric | kind | labels | what it is |
|---|---|---|---|
${rowsOf(ofProcess)}
${rowsOf(aboutProcess)}

Beside these, there are the usual figures about Node.js and the process, such as
\`nodejs_eventloop_lag_p99_seconds\`, \`process_resident_memory_bytes\` and \`process_cpu_seconds_total\`. They
begin with the first read.

This page is generated from \`runtime/metrics/definitions.ts\`.
`
}

/** Returns the text of every generated file, by its path from the root. */
export async function generatedFiles(): Promise<ReadonlyMap<string, string>> {
  const files = new Map([
    ['package-lock.json', tidyLock(readFileSync(new URL('package-lock.json', root), 'utf8'))],
    ['schemas/manifest.schema.json', schemaText(manifestSchema)],
    ['schemas/skill.schema.json', schemaText(skillSchema)],
    ['schemas/playbook.schema.json', schemaText(await shippedEditorSchema())],
    ['docs/reference/expressions.md', renderExpressionReference()],
    ['schemas/playbook-test.schema.json', schemaText(playbookTestSchema)],
    ['schemas/policy.schema.json', schemaText(policySchema)],
    ['docs/reference/errors.md', renderErrorReference()],
    ['docs/reference/configuration.md', configurationReference()],
    ['docs/reference/metrics.md', metricsReference()],
    ['docs/reference/lint/README.md', renderLintIndex()],
    ['docs/reference/write-skills.md', await renderWriteSkills()],
    ...(Object.keys(findingRegistry) as FindingCode[]).map((code) => [`docs/reference/lint/${code}.md`, renderLintPage(code)] as const),
  ])
  for (const id of readdirSync(new URL('plugins', root))) {
    files.set(`plugins/${id}/README.md`, renderReadme(await loadPluginFolder(new URL(`plugins/${id}`, root).pathname)))
  }
  return files
}

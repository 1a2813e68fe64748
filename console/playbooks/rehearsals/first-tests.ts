import type { AlertDetailsView } from '../../../runtime/api/index.ts'
import { ask, look } from '../../api/ask.ts'

const nameIn = (text: string): string => /^playbook:\s*(\S+)/m.exec(text)?.[1] ?? 'my-playbook'

/** Returns a first test of a playbook. @param content the content of its alert, as JSON */
function testWith(text: string, name: string, content: string): string {
  // JSON is YAML. Inside a list, its lines need a deeper indent than the key before it.
  const lines = content.split('\n').map((line) => `        ${line}`)
  return [
    'format: 1',
    `playbook: ${nameIn(text)}`,
    'tests:',
    `  - name: ${JSON.stringify(name)}`,
    '    alert:',
    '      content:',
    ...lines,
    '    expect: { outcome: completed }',
    '',
  ].join('\n')
}

export function exampleTest(text: string): string {
  return testWith(text, 'what must happen', '{ "user": "ada" }')
}

/** A test with the content of an alert, as the alert source sent it. */
export async function testOfAlert(text: string, alert: string): Promise<string> {
  const { alert_content: content } = await ask<AlertDetailsView>('GET', `/platformapi/alerts/${encodeURIComponent(alert)}`)
  return testWith(text, `the alert ${alert}`, asJson(content))
}

/** The test that Tocsin makes of a recorded run, with its answers. Personal data is replaced. */
export async function testOfRun(run: string): Promise<string> {
  return (await look<{ readonly text: string }>(`/platformapi/runs/${encodeURIComponent(run)}/test`, {})).text
}

function asJson(content: string): string {
  try {
    return JSON.stringify(JSON.parse(content), null, 2)
  } catch {
    return JSON.stringify(content)
  }
}

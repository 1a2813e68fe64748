import { join } from 'node:path'
import type { Json } from '../../runtime/domain/index.ts'
import { type CallResult, callSkill, loadPluginFolder, type SendResult, type SkillRequest } from '../../runtime/plugin/index.ts'
import { withHandling } from '../../runtime/plugin/testing.ts'
import { pluginsFolder } from './fixtures.ts'

/** An answer of an external system. Default: 200 and JSON. */
export interface Answered {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Json
}

/** Answers a request. Null: the request is lost. @param number the number of the request, from 1 */
export type Answers = (request: SkillRequest, number: number) => Answered | null

export const html = { 'content-type': 'text/html' }

/** The result of a call, and the requests that it sent. */
export interface Answer {
  readonly result: CallResult
  readonly sent: readonly SkillRequest[]
}

/** Calls skills of a shipped plugin with answers that the test makes. */
export async function answering(integration: string): Promise<(id: string, input: Json, answers: Answers) => Promise<Answer>> {
  const plugin = await loadPluginFolder(join(pluginsFolder, integration))
  return async (id, input, answers) => {
    const skill = plugin.skills.get(id)
    if (!skill) throw new Error(`no skill ${id}`)
    const checked = skill.checkInput(input)
    if (checked.faults.length > 0) throw new Error(checked.faults.join('; '))
    const sent: SkillRequest[] = []
    const send = async (request: SkillRequest): Promise<SendResult> => {
      const answer = answers(request, sent.push(request))
      if (answer === null) return { effect: 'unknown', code: 'network', message: 'The connection was cut.' }
      const { status = 200, headers = { 'content-type': 'application/json' }, body = '' } = answer
      return { effect: 'done', answer: { status, headers, body } }
    }
    const host = withHandling({ key: 'key', fields: { base_url: 'https://system.example', api_path: 'v1' }, send })
    return { result: await callSkill(plugin, skill, checked.input, host), sent }
  }
}

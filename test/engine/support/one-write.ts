import { playbook } from './harness.ts'

/**
 * Returns a playbook whose first step calls a skill for ada.
 * @param rest more lines of that step, and further steps
 */
export const write = (skill: string, rest = ''): string => playbook(`- id: act\n  skill: directory.${skill}\n  with: { user: ada }\n${rest}`)

import { expect, test } from 'vitest'
import { parseDuration } from '../../runtime/formats/index.ts'
import { writeSkills } from './write-skills.ts'

const skills = (await writeSkills()).map((skill) => ({ name: `${skill.integration}.${skill.skill.id}`, ...skill }))

test('every plugin has write skills', () => {
  expect([...new Set(skills.map(({ integration }) => integration))].sort()).toEqual(['browser', 'crm', 'mailsec', 'mfa'])
})

test.for(skills)('$name says why it is repeated, probed or neither', ({ skill: { document }, why }) => {
  expect(document.idempotent).toBeDefined()
  expect(why.split(' ').length, 'a comment above `idempotent` that says why').toBeGreaterThan(8)
  if (!document.verify) expect(why, 'why nothing can be asked').toMatch(/\bprobe\b/)
})

test.for(skills)('$name is not repeated so late that it could undo what people did meanwhile', ({ skill: { document, impact }, why }) => {
  const { by = 'none', repeat_within: within } = document.idempotent ?? {}
  if (by === 'none' && !document.verify) return
  if (within === undefined) return expect(why, 'why no bound is needed').toMatch(/\bunbounded\b/)
  // The skills with the most impact have the shortest limit, so that people are asked soonest. Even that covers a crash: ten seconds until a session is dead, the timeout of a call, and a margin.
  expect(parseDuration(within)).toBeLessThanOrEqual(impact === 'high' ? 120_000 : 600_000)
})

test.for(skills.filter(({ skill }) => skill.document.verify))('$name is probed by a read', async ({ name, skill: { document } }) => {
  const asked = (document.verify?.skill ?? '').split('.')
  expect(asked[0]).toBe(name.split('.')[0])
  expect(skills.map((other) => other.name)).not.toContain(asked.join('.'))
})

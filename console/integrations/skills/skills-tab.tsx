import { Badge, NavLink, ScrollArea, Stack, Text, TextInput, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type JSX, lazy, Suspense } from 'react'
import { useLocation } from 'wouter'
import type { IntegrationView, SkillView } from '../../../runtime/api/index.ts'
import { skillsOf } from '../../api/integrations.ts'
import { useAddress } from '../../shared/address.ts'
import { addressOf } from '../../shared/links.tsx'
import { ProblemNote } from '../../shared/problem.tsx'
import { Loading } from '../../shared/states.tsx'
import { impactWords, spelled } from '../words.ts'
import { SkillPanel } from './skill-panel.tsx'

/** The form library is loaded when a skill is opened. */
const TrySkill = lazy(() => import('./try-skill.tsx').then((module) => ({ default: module.TrySkill })))

interface TabProps {
  readonly integration: IntegrationView
  /** The id of the skill in the address. */
  readonly chosen: string | null
}

/** The skills of an integration by category, beside one of them. */
export function SkillsTab({ integration, chosen }: TabProps): JSX.Element {
  const { data, error, isPending } = useQuery(skillsOf(integration.id))
  const address = useAddress()
  const find = address.get('find') ?? ''
  const [, go] = useLocation()
  if (error && !data) return <ProblemNote error={error} />
  if (isPending) return <Loading />
  const words = find.toLowerCase()
  const found = data.filter(({ id, title, purpose }) => `${id} ${title} ${purpose}`.toLowerCase().includes(words))
  const shown = data.find(({ id }) => id === chosen) ?? (chosen === null ? found[0] : undefined)
  return (
    <div style={{ display: 'flex', gap: 'var(--mantine-spacing-lg)', flexWrap: 'wrap', alignItems: 'flex-start' }}>
      <Stack gap="xs" component="nav" aria-label="Skills" style={{ flex: '1 1 240px', minWidth: 0 }}>
        <TextInput
          aria-label="Find a skill"
          placeholder="Find a skill"
          value={find}
          onChange={(event) => address.set({ find: event.currentTarget.value || null })}
        />
        <ScrollArea.Autosize mah="70vh">
          {[...Map.groupBy(found, ({ category }) => category)].map(([category, skills]) => (
            <Stack gap={0} key={category} mb="sm">
              <Title order={2} size="h6" c="dimmed">
                {spelled(category)}
              </Title>
              {skills.map((skill) => (
                <SkillLink
                  key={skill.id}
                  skill={skill}
                  active={skill.id === shown?.id}
                  onOpen={() => go(`${addressOf.skill(integration.id, skill.id)}${find === '' ? '' : `?${new URLSearchParams({ find })}`}`)}
                />
              ))}
            </Stack>
          ))}
          {found.length === 0 && <Text c="dimmed">{data.length === 0 ? 'This integration has no skills.' : 'No skill matches.'}</Text>}
        </ScrollArea.Autosize>
      </Stack>
      <div style={{ flex: '3 1 480px', minWidth: 0 }}>
        {shown ? (
          <Stack key={shown.id}>
            <SkillPanel skill={shown} />
            <Suspense fallback={<Loading what="Loading the form" />}>
              <TrySkill skill={shown} integration={integration} />
            </Suspense>
          </Stack>
        ) : (
          <Text>{chosen === null ? '' : 'There is no such skill.'}</Text>
        )}
      </div>
    </div>
  )
}

function SkillLink({ skill, active, onOpen }: { readonly skill: SkillView; readonly active: boolean; onOpen(): void }): JSX.Element {
  const { word, color } = impactWords[skill.impact]
  return (
    <NavLink
      component="button"
      active={active}
      aria-current={active ? 'true' : undefined}
      onClick={onOpen}
      label={skill.title}
      rightSection={
        <Badge color={color} variant="light" size="sm">
          {word}
        </Badge>
      }
    />
  )
}

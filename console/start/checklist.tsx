import { Accordion, Group, Progress, Stack, Text, ThemeIcon } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type JSX, useState } from 'react'
import { IconCheck } from '../shared/icons.ts'
import { ProblemNote } from '../shared/problem.tsx'
import { Loading } from '../shared/states.tsx'
import { type Permission, useMay } from '../shell/who.ts'
import { doneSteps, type Installation, installationFor, type StepName } from './progress.ts'
import { AlertStep } from './steps/alert.tsx'
import { CaseStep } from './steps/case.tsx'
import { ConnectionStep } from './steps/connection.tsx'
import { KeyStep } from './steps/key.tsx'
import { NamedStep } from './steps/named.tsx'
import { PlaybookStep } from './steps/playbook.tsx'

interface Step {
  readonly name: StepName
  readonly title: string
  /** What its form needs. Null: it has none. */
  readonly needs: Permission | null
  /** The steps before without which its form cannot be filled in. */
  readonly after: readonly StepName[]
  readonly optional?: boolean
}

const steps: readonly Step[] = [
  { name: 'organization', title: 'Create an organization, whose alerts you investigate', needs: 'organizations:write', after: [] },
  { name: 'provider', title: 'Name an alert source', needs: 'providers:write', after: [] },
  { name: 'key', title: 'Give the alert source an API key', needs: 'keys:write', after: ['organization', 'provider'] },
  { name: 'connection', title: 'Connect an external system', needs: 'connections:write', after: ['organization'], optional: true },
  { name: 'playbook', title: 'Choose a playbook', needs: 'playbooks:write', after: ['organization'] },
  { name: 'alert', title: 'Post a test alert', needs: 'alerts:write', after: ['organization', 'provider'] },
  { name: 'case', title: 'Read the case', needs: null, after: [] },
]

/** The way from an empty installation to the first case. It knows what is done already, and opens the next step. */
export function FirstRun(): JSX.Element {
  const may = useMay()
  const { data, error, isPending } = useQuery(installationFor(may))
  // Null: the next step is open. It moves on as steps are done.
  const [chosen, choose] = useState<string | null>(null)
  if (isPending) return <Loading what="Looking at what is there" />
  if (!data) return <ProblemNote error={error} />
  const done = doneSteps(data)
  const next = steps.find(({ name, optional }) => !done.has(name) && !optional)?.name ?? 'case'
  return (
    <Stack gap="md" maw={760}>
      <div>
        <Text size="sm" c="dimmed" mb={4}>
          {done.size} of {steps.length} steps are done.
        </Text>
        <Progress value={(done.size / steps.length) * 100} aria-label="Steps that are done" color="teal" />
      </div>
      <Accordion
        variant="separated"
        order={2}
        value={chosen ?? next}
        onChange={(value) => choose(value ?? '')}
        transitionDuration={0}
        keepMounted={false}
      >
        {steps.map((step, index) => (
          <Accordion.Item key={step.name} value={step.name}>
            <Accordion.Control>
              <Title step={step} number={index + 1} done={done.has(step.name)} />
            </Accordion.Control>
            <Accordion.Panel>
              <Form step={step} installation={data} done={done} open={choose} />
            </Accordion.Panel>
          </Accordion.Item>
        ))}
      </Accordion>
    </Stack>
  )
}

function Title({ step: { title, optional }, number, done }: { readonly step: Step; readonly number: number; readonly done: boolean }): JSX.Element {
  return (
    <Group gap="sm" wrap="nowrap">
      <ThemeIcon size="sm" radius="xl" variant={done ? 'filled' : 'default'} color={done ? 'teal.9' : 'gray'} aria-hidden>
        {done ? <IconCheck size={14} /> : number}
      </ThemeIcon>
      <span>
        {title}
        {optional && !done && <span className="quiet"> (may wait)</span>}
        {done && <span className="quiet"> · done</span>}
      </span>
    </Group>
  )
}

interface FormProps {
  readonly step: Step
  readonly installation: Installation
  readonly done: ReadonlySet<StepName>
  /** Opens a step and keeps it open. Null: opens the next step. */
  readonly open: (step: StepName | null) => void
}

function Form({ step: { name, needs, after }, installation, done, open }: FormProps): JSX.Element {
  const may = useMay()
  if (needs !== null && !may(needs)) return <Text size="sm">Your key may not do this: it lacks {needs}. An administrator can.</Text>
  const missing = after.filter((one) => !done.has(one))
  if (missing.length > 0) return <Text size="sm">First create the {missing.join(' and the ')}.</Text>
  const organization = installation.organizations[0]?.code ?? 'ACME'
  const provider = installation.providers[0]?.code ?? 'EDR'
  const types = installation.playbooks.flatMap(({ alert_type: type }) => type ?? [])
  switch (name) {
    case 'organization':
      return <NamedStep what="organization" example={['ACME', 'Acme Corporation']} onCreated={() => open(null)} />
    case 'provider':
      return <NamedStep what="provider" example={['EDR', 'Endpoint detection']} onCreated={() => open(null)} />
    case 'key':
      return <KeyStep organization={organization} provider={provider} onCreate={() => open('key')} onCopied={() => open(null)} />
    case 'connection':
      return <ConnectionStep organization={organization} connected={done.has('connection')} />
    case 'playbook':
      return <PlaybookStep organization={organization} active={types.length} />
    case 'alert':
      return <AlertStep organization={organization} provider={provider} types={[...new Set(types)]} onPosted={() => open(null)} />
    case 'case':
      return <CaseStep id={installation.cases[0]?.case_id ?? null} alert={installation.alerts[0]?.alert_id ?? null} />
  }
}

import { Anchor, Badge, Button, Collapse, Group, List, NativeSelect, NumberInput, PasswordInput, Stack, Switch, Text, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import type { JSX, ReactNode } from 'react'
import type { CheckedEntryView, IntegrationView } from '../../../runtime/api/index.ts'

type Field = IntegrationView['credentials'][number]
type Value = string | number | boolean

interface InputProps {
  readonly field: Field
  readonly value: Value | undefined
  /** The answer of the API about the field. Null: there is none yet. */
  readonly checked: CheckedEntryView['fields'][number] | null
  /** Whether a problem is shown although nothing is filled in. */
  readonly strict: boolean
  /** Whether the connection has a secret for this field already. */
  readonly set: boolean
  onChange(value: Value): void
  /** Removes the field from the vendor's file, so that a person can type it. */
  onType(): void
}

/** One field of the connection form, as the manifest describes it. */
export function CredentialInput(props: InputProps): JSX.Element {
  const { field, checked, strict, set, value } = props
  const fromFile = checked?.source === 'paste'
  const problem = checked?.problem ?? null
  const filled = fromFile || (value !== undefined && value !== '')
  const error = problem !== null && (strict || filled) ? problem : null
  const frame = {
    label: <Label field={field} set={set} fromFile={fromFile} />,
    description: <Help field={field} />,
    error,
    'aria-required': field.required,
    name: field.name,
  }
  if (fromFile) return <FromFile {...props} error={error} frame={frame} />
  return <Typed {...props} frame={frame} />
}

interface Frame {
  readonly label: ReactNode
  readonly description: ReactNode
  readonly error: string | null
  readonly 'aria-required': boolean
  readonly name: string
}

function Typed({ field, value, set, frame, onChange }: InputProps & { readonly frame: Frame }): JSX.Element {
  const text = value === undefined ? '' : String(value)
  const preset = field.default === null || field.default === undefined ? '' : String(field.default)
  switch (field.type) {
    case 'boolean':
      return (
        <Switch
          label={frame.label}
          description={frame.description}
          error={frame.error}
          checked={value === true}
          onChange={(event) => onChange(event.currentTarget.checked)}
        />
      )
    case 'integer':
      return (
        <NumberInput
          {...frame}
          allowDecimal={false}
          value={typeof value === 'number' ? value : ''}
          placeholder={preset}
          onChange={(next) => onChange(next)}
        />
      )
    case 'enum':
      return (
        <NativeSelect
          {...frame}
          data={[...(preset === '' ? [{ value: '', label: 'Choose …' }] : []), ...field.values]}
          value={text === '' ? preset : text}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      )
    default: {
      const common = { ...frame, value: text, autoComplete: 'off', spellCheck: false, 'data-1p-ignore': true }
      const placeholder = set ? 'Set. Leave it empty to keep it.' : preset
      return field.secret ? (
        <PasswordInput {...common} autoComplete="new-password" placeholder={placeholder} onChange={(event) => onChange(event.currentTarget.value)} />
      ) : (
        <TextInput {...common} placeholder={placeholder} onChange={(event) => onChange(event.currentTarget.value)} />
      )
    }
  }
}

/** A value from the vendor's file. It cannot be edited here, because then two places would say different things. */
function FromFile({ field, checked, frame, onType }: InputProps & { readonly frame: Frame; readonly error: string | null }): JSX.Element {
  const shown = field.secret ? '••••••••••••' : String(checked?.value ?? '')
  return (
    <TextInput
      {...frame}
      value={shown}
      readOnly
      variant="filled"
      rightSectionWidth={110}
      rightSection={
        <Button size="compact-xs" variant="subtle" onClick={onType} aria-label={`Type instead: ${field.label}`}>
          Type instead
        </Button>
      }
    />
  )
}

function Label({ field, set, fromFile }: { readonly field: Field; readonly set: boolean; readonly fromFile: boolean }): JSX.Element {
  return (
    <Group component="span" gap="xs" display="inline-flex">
      <span>
        {field.label}
        {field.required && (
          <Text component="span" c="red" aria-hidden>
            {' '}
            *
          </Text>
        )}
      </span>
      {field.secret && (
        <Badge component="span" size="xs" variant="light" color="gray">
          Secret
        </Badge>
      )}
      {set && !fromFile && (
        <Badge component="span" size="xs" variant="light" color="teal">
          Set
        </Badge>
      )}
      {fromFile && (
        <Badge component="span" size="xs" variant="light">
          From the file
        </Badge>
      )}
    </Group>
  )
}

function Help({ field }: { readonly field: Field }): JSX.Element {
  const [open, { toggle }] = useDisclosure(false)
  return (
    <Stack component="span" gap={2}>
      <span>
        {field.help}{' '}
        {field.rules.length > 0 && (
          <Anchor component="button" type="button" inherit onClick={toggle} aria-expanded={open}>
            {open ? 'Hide what is refused' : 'What is refused'}
          </Anchor>
        )}
      </span>
      {field.rules.length > 0 && (
        <Collapse expanded={open} component="span">
          <List component="span" size="xs" spacing={2}>
            {field.rules.map((rule) => (
              <Text component="span" size="xs" key={rule} display="block">
                {rule}
              </Text>
            ))}
          </List>
        </Collapse>
      )}
    </Stack>
  )
}

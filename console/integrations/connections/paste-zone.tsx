import { Button, FileButton, Group, Paper, Stack, Text, Textarea } from '@mantine/core'
import { type DragEvent, type JSX, useState } from 'react'
import type { CheckedEntryView } from '../../../runtime/api/index.ts'

/** The longest text that the API takes, in characters. A properties file has a few hundred. */
const longest = 65_536

interface PasteZoneProps {
  /** The keys that the file should have. */
  readonly keys: readonly string[]
  /** The text that fields are filled from. Null: none. */
  readonly paste: string | null
  readonly problems: CheckedEntryView['problems']
  /** How many fields the text fills. */
  readonly filled: number
  onPaste(text: string | null): void
}

/** Takes the vendor's file: dropped, chosen or pasted. Never shows its text again, because it has secrets. */
export function PasteZone({ keys, paste, problems, filled, onPaste }: PasteZoneProps): JSX.Element {
  const [over, setOver] = useState(false)
  const [trouble, setTrouble] = useState<string | null>(null)
  const take = async (file: File | null | undefined): Promise<void> => {
    if (!file) return
    if (file.size > longest) return setTrouble(`${file.name} is too large to be such a file. A properties file has a few lines.`)
    give(await file.text())
  }
  const give = (text: string): void => {
    const fits = text.length <= longest
    setTrouble(fits ? null : 'The text is too long to be such a file. A properties file has a few lines.')
    if (fits && text !== '') onPaste(text)
  }
  const drop = (event: DragEvent): void => {
    event.preventDefault()
    setOver(false)
    const text = event.dataTransfer.getData('text/plain')
    if (event.dataTransfer.files[0]) void take(event.dataTransfer.files[0])
    else give(text)
  }
  const wrong = trouble ?? problems.find(({ field }) => field === 'paste')?.message ?? null
  const line = problems.find(({ field }) => field === 'paste')?.line
  return (
    <Paper
      withBorder
      p="md"
      component="section"
      aria-label="Vendor's file"
      onDragOver={(event: DragEvent) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
      {...(over && { bg: 'var(--mantine-primary-color-light)' })}
    >
      <Stack gap="xs">
        <Group justify="space-between">
          <Text fw={600}>Fill the form from the vendor's file</Text>
          <Group gap="xs">
            {paste !== null && (
              <Button size="xs" variant="subtle" onClick={() => onPaste(null)}>
                Forget the file
              </Button>
            )}
            <FileButton onChange={(file) => void take(file)}>
              {(props) => (
                <Button size="xs" variant="light" {...props}>
                  Choose a file
                </Button>
              )}
            </FileButton>
          </Group>
        </Group>
        {paste === null || wrong !== null ? (
          <Textarea
            label="Drop the file here, or paste its text"
            description={`Tocsin reads ${keys.join(', ')}. It shows no secret again.`}
            value=""
            minRows={2}
            autosize
            maxRows={2}
            spellCheck={false}
            autoComplete="off"
            placeholder={`${keys[0] ?? 'key'}=…`}
            error={wrong === null ? null : line === undefined ? wrong : `Line ${line}: ${wrong}`}
            onChange={(event) => give(event.currentTarget.value)}
          />
        ) : (
          <Text size="sm" role="status">
            The file fills {filled} {filled === 1 ? 'field' : 'fields'}. {filled < keys.length && `${keys.length - filled} of its keys are missing.`}
          </Text>
        )}
      </Stack>
    </Paper>
  )
}

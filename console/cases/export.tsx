import { Button, Menu } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { JSX } from 'react'
import { askFile } from '../api/ask.ts'
import { save } from '../api/save.ts'
import { IconDownload } from '../shared/icons.ts'
import { failed } from '../shared/toasts.tsx'
import { casePath } from './requests.ts'

const formats = [
  { format: 'pdf', ending: 'pdf', name: 'PDF' },
  { format: 'markdown', ending: 'md', name: 'Markdown' },
  { format: 'json', ending: 'json', name: 'JSON' },
] as const

/** Saves a case as a file, or prints its page. */
export function Export({ id }: { readonly id: string }): JSX.Element {
  const { mutate, isPending } = useMutation({
    mutationFn: async ({ format, ending }: (typeof formats)[number]) =>
      save(`${id}.${ending}`, await askFile(casePath(id, `/export?format=${format}`))),
    onError: (error, { name }) => failed(`${id} was not saved as ${name}`, error),
  })
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button size="xs" variant="default" leftSection={<IconDownload size={14} />} loading={isPending}>
          Export
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {formats.map((one) => (
          <Menu.Item key={one.format} onClick={() => mutate(one)}>
            {one.name}
          </Menu.Item>
        ))}
        <Menu.Item onClick={() => window.print()}>Print</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

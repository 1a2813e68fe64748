import type { Command } from 'commander'
import { VFile } from 'vfile'
import { buildProgram } from '../../../runtime/cli/index.ts'
import { settings } from '../../../runtime/config/index.ts'
import { registry } from '../../../runtime/errors/index.ts'
import { findingRegistry } from '../../../runtime/playbook/authoring/index.ts'

/** Returns each text of the registries as a Markdown page. The name of the page says where the text is from. */
export async function registryTexts(): Promise<readonly VFile[]> {
  const errors = Object.entries(registry).map(([code, { title, cause, remedy }]) => page(`error ${code}`, [title, cause, remedy]))
  const findings = Object.entries(findingRegistry).map(([code, { title, why }]) => page(`finding ${code}`, [title, why]))
  const variables = Object.values(settings).map(({ variable, help }) => page(`setting ${variable}`, [help]))
  return [...errors, ...findings, ...variables, ...commands(await buildProgram(), [])]
}

function commands(command: Command, above: readonly string[]): readonly VFile[] {
  const path = [...above, command.name()]
  const texts = [command.summary(), command.description(), ...command.options.map(({ description }) => description)]
  const own = page(`command ${path.join(' ')}`, [...texts, ...command.registeredArguments.map(({ description }) => description)])
  return [own, ...command.commands.flatMap((one) => commands(one, path))]
}

function page(path: string, texts: readonly string[]): VFile {
  return new VFile({ path, value: texts.filter((text) => text !== '').join('\n\n') })
}

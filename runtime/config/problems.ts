import { type ErrorPlace, isTocsinError, TocsinError } from '../errors/index.ts'
import { type SettingName, settings } from './settings.ts'

/** Returns the name of a setting for messages: `--port (TOCSIN_PORT)`. */
export function nameOf(name: SettingName): string {
  const { variable, flag } = settings[name]
  return flag === null ? variable : `--${flag} (${variable})`
}

/**
 * Returns the error about one wrong setting.
 * @param problem the rest of a sentence that begins with the setting's name: `must be …; it is "…".` It must not contain a secret
 * @param remedy a sentence that tells the user how to fix it
 */
export function invalid(name: SettingName, problem: string, remedy: string): TocsinError {
  return new TocsinError('config_invalid', `${nameOf(name)} ${problem}`, [], { remedy })
}

/** Collects the errors of all settings, so that one message reports all of them. */
export class Problems {
  readonly #found: { readonly name: SettingName; readonly error: TocsinError }[] = []

  /** @param standIn returned in place of a wrong value. No caller uses it, because `mustBeNone` throws afterwards */
  attempt<T>(name: SettingName, read: () => T, standIn: T): T {
    try {
      return read()
    } catch (error) {
      if (!isTocsinError(error) || error.code !== 'config_invalid') throw error
      this.#found.push({ name, error })
      return standIn
    }
  }

  /** @throws TocsinError `config_invalid`, with a place for each setting if several are wrong */
  mustBeNone(): void {
    const [first, ...others] = this.#found
    if (!first) return
    if (others.length === 0) throw first.error
    const places = this.#found.map(({ name, error }): ErrorPlace => {
      const field = nameOf(name)
      const message = error.message.startsWith(`${field} `) ? error.message.slice(field.length + 1) : error.message
      return { field, message: `${message} ${error.remedy}` }
    })
    throw new TocsinError('config_invalid', `${places.length} settings are wrong.`, places, {
      remedy: 'Correct each of them; `tocsin up --help` lists all settings.',
    })
  }
}

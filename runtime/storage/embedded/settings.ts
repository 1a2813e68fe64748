import type { SettingStore } from '../port.ts'
import type { Sql } from './sql.ts'
import type { Synchronous } from './synchronous.ts'

/** What the file itself can do beyond the port: a write that changes nothing of worth, to learn whether the disk still takes one. */
interface Touchable {
  touch(): void
}

export function settingTable(sql: Sql): Synchronous<SettingStore> & Touchable {
  return {
    touch() {
      sql.run("INSERT INTO settings (name, value) VALUES ('touched', ?1) ON CONFLICT DO UPDATE SET value = ?1", String(sql.now))
    },
    settle(_scope, name, value) {
      sql.run('INSERT INTO settings (name, value) VALUES (?, ?) ON CONFLICT DO NOTHING', name, value)
      return String(sql.get('SELECT value FROM settings WHERE name = ?', name)?.['value'])
    },
  }
}

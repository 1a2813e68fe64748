import type { SettingStore } from '../../port/index.ts'
import type { Sql, Synchronous } from '../database/index.ts'

/** The `SettingStore` of the port in SQLite. */
export function settingTable(sql: Sql): Synchronous<SettingStore> {
  return {
    settle(_scope, name, value) {
      sql.run('INSERT INTO settings (name, value) VALUES (?, ?) ON CONFLICT DO NOTHING', name, value)
      return String(sql.get('SELECT value FROM settings WHERE name = ?', name)?.['value'])
    },
    replace(_scope, name, from, to) {
      return sql.run('UPDATE settings SET value = ? WHERE name = ? AND value = ?', to, name, from) > 0
    },
  }
}

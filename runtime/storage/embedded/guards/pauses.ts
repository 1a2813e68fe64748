import { ownerOf, type Pause, type PauseId, pauseKey, reaches, type Scope } from '../../../domain/index.ts'
import type { PauseStore } from '../../port/index.ts'
import { mustReach } from '../../scope-guard.ts'
import type { Synchronous } from '../database/index.ts'
import { type Row, type Sql, scopeParameter } from '../database/index.ts'

/** A pause of all organizations has no organization, and every scope sees it. */
const seen = '(?1 IS NULL OR organization IS NULL OR organization IN (SELECT value FROM json_each(?1)))'

function toPause(row: Row): Pause {
  return JSON.parse(String(row['document'])) as Pause
}

function mustReachTarget(scope: Scope, { target }: Pause): void {
  mustReach(reaches(scope, ownerOf(target)?.organization ?? null), 'pause')
}

/** The `PauseStore` of the port in SQLite. */
export function pauseTable(sql: Sql): Synchronous<PauseStore> {
  const get: Synchronous<PauseStore>['get'] = (scope, id: PauseId) => {
    const row = sql.get(`SELECT document FROM pauses WHERE ${seen} AND id = ?2`, scopeParameter(scope), id)
    return row ? toPause(row) : null
  }

  return {
    begin(scope, pause) {
      mustReachTarget(scope, pause)
      const key = pauseKey(pause.target)
      const standing = sql.get('SELECT document FROM pauses WHERE key = ? AND standing = 1', key)
      if (standing) return toPause(standing)
      sql.run(
        'INSERT INTO pauses (id, organization, key, standing, paused_at, document) VALUES (?, ?, ?, 1, ?, ?)',
        pause.id,
        ownerOf(pause.target)?.organization ?? null,
        key,
        pause.paused.at,
        JSON.stringify(pause),
      )
      return pause
    },
    end(scope, id, resumed) {
      const found = get(scope, id)
      if (!found) return null
      mustReachTarget(scope, found)
      if (found.resumed) return found
      const over: Pause = { ...found, resumed }
      sql.run('UPDATE pauses SET standing = 0, document = ? WHERE id = ?', JSON.stringify(over), id)
      return over
    },
    standing(scope) {
      return sql.all(`SELECT document FROM pauses WHERE standing = 1 AND ${seen} ORDER BY paused_at, id`, scopeParameter(scope)).map(toPause)
    },
    get,
    list(scope, { standing, after, limit }) {
      const rows = sql.all(
        `SELECT document FROM pauses WHERE ${seen} AND (?2 IS NULL OR standing = ?2) AND (?3 IS NULL OR (paused_at, id) < (?3, ?4))
         ORDER BY paused_at DESC, id DESC LIMIT ?5`,
        scopeParameter(scope),
        standing === undefined ? null : Number(standing),
        after?.pausedAt ?? null,
        after?.id ?? null,
        limit + 1,
      )
      return { items: rows.slice(0, limit).map(toPause), more: rows.length > limit }
    },
  }
}

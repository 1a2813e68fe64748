import { type Activation, type Artifact, asId, type Digest, type OrganizationId, reaches } from '../../../domain/index.ts'
import { TocsinError } from '../../../errors/index.ts'
import type { ActivationPlace, ArtifactStore } from '../../port/index.ts'
import { mustReach, sees } from '../../scope-guard.ts'
import type { Synchronous } from '../database/index.ts'
import { ownerOf, type Row, type Sql, scopeFilter, scopeParameter } from '../database/index.ts'

function organizationIn(row: Row): OrganizationId | null {
  return row['owner'] === '' ? null : asId<OrganizationId>(String(row['owner']))
}

function toArtifact(row: Row): Artifact {
  return {
    digest: row['digest'],
    kind: row['kind'],
    name: row['name'],
    text: row['text'],
    organization: organizationIn(row),
    createdAt: row['created_at'],
  } as Artifact
}

function toActivation(row: Row): Activation {
  return {
    kind: row['kind'],
    organization: organizationIn(row),
    key: row['key'],
    digest: row['digest'],
    name: row['name'],
    source: row['source'],
    folderDigest: row['folder_digest'],
    revision: row['revision'],
    activatedAt: row['activated_at'],
    activatedBy: row['activated_by'],
    withdrawn: row['withdrawn'] === 1,
  } as Activation
}

/** The `ArtifactStore` of the port in SQLite. */
export function artifactTable(sql: Sql): Synchronous<ArtifactStore> {
  const active = ({ kind, organization, key }: ActivationPlace): Activation | null => {
    const row = sql.get(
      'SELECT * FROM activations WHERE kind = ? AND owner = ? AND key = ? ORDER BY revision DESC LIMIT 1',
      kind,
      ownerOf(organization),
      key,
    )
    return row ? toActivation(row) : null
  }

  return {
    put(scope, artifacts) {
      for (const { digest, kind, name, text, organization, createdAt } of artifacts) {
        mustReach(reaches(scope, organization), 'artifact')
        sql.run(
          'INSERT INTO artifacts (digest, owner, kind, name, text, created_at) VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING',
          digest,
          ownerOf(organization),
          kind,
          name,
          text,
          createdAt,
        )
      }
    },
    get(scope, digest: Digest) {
      const found = sql.all('SELECT * FROM artifacts WHERE digest = ? ORDER BY owner', digest).map(toArtifact)
      return found.find((artifact) => sees(scope, artifact.organization)) ?? null
    },
    active(scope, place) {
      return sees(scope, place.organization) ? active(place) : null
    },
    listActive(scope, kind) {
      const rows = sql.all(
        `SELECT *, max(revision) FROM activations WHERE kind = ?2 AND (owner = '' OR ${scopeFilter('owner')})
         GROUP BY owner, key HAVING withdrawn = 0 ORDER BY key, owner`,
        scopeParameter(scope),
        kind,
      )
      return rows.map(toActivation)
    },
    activate(scope, next) {
      mustReach(reaches(scope, next.organization), 'activation')
      const standing = active(next)
      if (standing && standing.revision !== next.revision - 1) return { activated: false, standing }
      if (!standing && next.revision !== 1) throw new TocsinError('internal', 'The first activation of a place must have revision 1.')
      sql.run(
        `INSERT INTO activations (kind, owner, key, revision, digest, name, source, folder_digest, activated_at, activated_by, withdrawn)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
        next.kind,
        ownerOf(next.organization),
        next.key,
        next.revision,
        next.digest,
        next.name,
        next.source,
        next.folderDigest,
        next.activatedAt,
        next.activatedBy,
        next.withdrawn ? 1 : 0,
      )
      return { activated: true, standing: next }
    },
    history(scope, place) {
      if (!sees(scope, place.organization)) return []
      return sql
        .all(
          'SELECT * FROM activations WHERE kind = ? AND owner = ? AND key = ? ORDER BY revision DESC',
          place.kind,
          ownerOf(place.organization),
          place.key,
        )
        .map(toActivation)
    },
  }
}

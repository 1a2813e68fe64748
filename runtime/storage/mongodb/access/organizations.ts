import { foldCode, type Organization } from '../../../domain/index.ts'
import type { OrganizationStore } from '../../port/index.ts'
import { mustSeeAll } from '../../scope-guard.ts'
import { isDuplicate } from '../client/index.ts'
import type { Collections } from '../database/index.ts'
import { pageOf } from '../database/index.ts'
import type { OrganizationDocument } from './organization-documents.ts'

function toOrganization({ _id, folded: _, ...organization }: OrganizationDocument): Organization {
  return { id: _id, ...organization }
}

/** The `OrganizationStore` of the port on MongoDB. */
export function organizationStore({ organizations }: Collections): OrganizationStore {
  const among = (scope: Parameters<OrganizationStore['byId']>[0]) => (scope.organizations === 'all' ? {} : { _id: { $in: [...scope.organizations] } })

  return {
    async create(scope, { id, ...organization }) {
      mustSeeAll(scope)
      try {
        await organizations.insertOne({ _id: id, folded: foldCode(organization.code), ...organization })
        return 'created'
      } catch (error) {
        if (isDuplicate(error)) return 'exists'
        throw error
      }
    },
    async byCode(scope, codes) {
      const found = await organizations.find({ $and: [{ folded: { $in: codes.map(foldCode) }, code: { $in: [...codes] } }, among(scope)] }).toArray()
      return found.map(toOrganization)
    },
    async byId(scope, ids) {
      const found = await organizations.find({ $and: [{ _id: { $in: [...ids] } }, among(scope)] }).toArray()
      return found.map(toOrganization)
    },
    async list(scope, { after, limit }) {
      const found = await organizations
        .find({ ...among(scope), ...(after !== null && { folded: { $gt: after } }) })
        .sort({ folded: 1 })
        .limit(limit + 1)
        .toArray()
      return pageOf(found.map(toOrganization), limit)
    },
  }
}

/** The address of an organization's policy in the API. */
export const policyPath = (code: string): string => `/platformapi/organizations/${encodeURIComponent(code)}/policy`

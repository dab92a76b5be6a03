import { createRequire } from 'node:module'
import type * as Addresses from '../../../lib/client/address'
import type * as Forms from '../../../lib/contract/reading/form/operation-forms'

const load = createRequire(__filename)

/** Loads address parsing, and with it the operations, on first use. */
export const loadAddresses = (): typeof Addresses => load('../../../lib/client/address') as typeof Addresses

/** Loads the forms of the operations, and with them the operations, on first use. */
export const loadOperationForms = (): typeof Forms =>
  load('../../../lib/contract/reading/form/operation-forms') as typeof Forms

import { createRequire } from 'node:module'
import type * as Addresses from '../../../lib/client/address'
import type * as Forms from '../../../lib/contract/reading/form/operation-forms'

const load = createRequire(__filename)

/** Loads how addresses are read, and with that the operations, at its first use. */
export const loadAddresses = (): typeof Addresses => load('../../../lib/client/address') as typeof Addresses

/** Loads what operations ask for, and with that the operations, at its first use. */
export const loadOperationForms = (): typeof Forms =>
  load('../../../lib/contract/reading/form/operation-forms') as typeof Forms

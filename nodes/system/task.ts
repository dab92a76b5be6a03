import type { PlacedFile } from '../shared/allowed-place'
import type { TypedName } from '../shared/read-fields'
import type { NodeInput } from '../device/on-input'
import type { SystemFields } from './fields'

/** What an action can use. */
export interface Task extends NodeInput<TypedName<SystemFields>> {
  fields: SystemFields
  /** The hash of the lock's password. */
  hash: () => string
  /** Resolves the file path in the value, or throws if it is not allowed. */
  placed: (path: string) => Promise<PlacedFile>
}

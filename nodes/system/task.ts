import type { PlacedFile } from '../shared/allowed-place'
import type { TypedName } from '../shared/field-kind'
import type { NodeInput } from '../device/on-input'
import type { SystemFields } from './fields'

/** What an action has in hand. */
export interface Task extends NodeInput<TypedName<SystemFields>> {
  fields: SystemFields
  /** The hash of the password of the lock. */
  hash: () => string
  /** Finds the file whose path the value gives, or throws where it is not allowed. */
  placed: (path: string) => Promise<PlacedFile>
}

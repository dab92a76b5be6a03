import type { Shape } from '../../lib/contract'
import { returnCode, returnCodeShape, type ServiceDefinition } from '../module'
import type { RecordStore, StoredRecord } from './record-store'

/** The services that list and delete the records of one kind. */
export function recordServices<Stored extends StoredRecord>(
  { get, delete: remove }: Pick<RecordStore<Stored>, 'get' | 'delete'>,
  names: {
    kinds: string
    get: string
    delete: string
    /** The argument that takes the ids. */
    ids: string
    /** The field of the answer that holds the records. */
    list: string
    shape: Shape
  },
): Record<string, ServiceDefinition> {
  const ids = (args: Record<string, unknown>) => args[names.ids] as string[] | undefined
  return {
    [names.get]: {
      description: `Returns ${names.kinds} by id; all of them where no id is given.`,
      args: { [names.ids]: ['string'] },
      response: { [names.list]: [names.shape], ...returnCodeShape },
      call: ({ args }) => ({ [names.list]: get(ids(args)), ...returnCode(0) }),
    },
    [names.delete]: {
      description: `Deletes the ${names.kinds} that are named.`,
      args: { [names.ids]: ['string'] },
      response: returnCodeShape,
      call: ({ args }) => remove(ids(args)),
    },
  }
}

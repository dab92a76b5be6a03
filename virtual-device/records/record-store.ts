import type { Shape } from '../../lib/contract'
import { type Environment, type Json, returnCode, returnCodeShape, type ServiceDefinition } from '../module'
import { InvalidArgument, codeOf } from '../services/arguments'

/** A database record; a type and not an interface, because only a type is assignable to JSON. */
export type StoredRecord = { id: string; [field: string]: Json }
type RecordAnswer = ReturnType<typeof returnCode>

export type RecordStore<Stored extends StoredRecord> = ReturnType<typeof recordStore<Stored>>

/** The records of one kind, by their ids. */
export function recordStore<Stored extends StoredRecord>({
  kind,
  capacity,
  changed,
}: {
  /** Name of a record in messages. */
  kind: string
  capacity: number
  changed: Environment['changed']
}) {
  const records = new Map<string, Stored>()

  const put = (record: Stored): { answer: RecordAnswer; stored?: Stored } => {
    const overwritten = records.has(record.id)
    if (!overwritten && records.size >= capacity)
      return { answer: returnCode(-10, `not stored: at most ${capacity} ${kind} records are possible`) }
    records.set(record.id, record)
    changed()
    const remarks = [
      ...(records.size === capacity
        ? [{ value: 10, message: `stored as the last of ${capacity} possible ${kind} records` }]
        : []),
      ...(overwritten ? [{ value: 11, message: `overwrote the ${kind} '${record.id}'` }] : []),
    ]
    return { stored: record, answer: codeOf(remarks) }
  }

  return {
    /** Stores what `make` returns; answers -1 if it throws an InvalidArgument. */
    set: (make: () => Stored): { answer: RecordAnswer; stored?: Stored } => {
      try {
        return put(make())
      } catch (error) {
        if (error instanceof InvalidArgument) return { answer: returnCode(-1, error.message) }
        throw error
      }
    },
    /** All records if no ids are given. Unknown ids are skipped. */
    get: (ids: readonly string[] = []): Stored[] =>
      ids.length === 0
        ? [...records.values()]
        : [...new Set(ids)].map((id) => records.get(id)).filter((record) => record !== undefined),
    /** Deletes only the given ids. */
    delete: (ids: readonly string[] = []): RecordAnswer => {
      const deleted = ids.filter((id) => records.delete(id))
      if (deleted.length > 0) changed()
      return returnCode(0)
    },
    save: (): Json => [...records.values()],
    restore: (saved: Json | undefined): void => {
      records.clear()
      for (const record of (saved ?? []) as Stored[]) records.set(record.id, record)
    },
  }
}

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

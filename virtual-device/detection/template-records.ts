import type { Json } from '../module'
import { InvalidArgument } from '../services/invalid-argument'
import { recordStore, type RecordStore, type StoredRecord } from '../records/record-store'
import { ServiceFailure } from './service-failure'

/** A record stored with a template. */
type TemplateRecord = StoredRecord & { template_id: string }

export type TemplateRecords<Stored extends TemplateRecord> = ReturnType<typeof templateRecords<Stored>>

/** Records of one kind that belong to templates: they are deleted with their template. */
export function templateRecords<Stored extends TemplateRecord>({
  kind,
  capacity,
  templates,
  changed,
}: {
  /** Name of a record in messages. */
  kind: string
  /** Most records of each template. */
  capacity: number
  /** Ids of the existing templates. */
  templates: () => readonly string[]
  changed: () => void
}) {
  const stores = new Map<string, RecordStore<Stored>>()
  const newStore = () => recordStore<Stored>({ kind, capacity, changed })

  const forgetOthers = () => {
    for (const template of stores.keys()) if (!templates().includes(template)) stores.delete(template)
  }
  /** @throws InvalidArgument if there is no such template */
  const assertTemplate = (id: string | undefined, field: string): string => {
    forgetOthers()
    if (id !== undefined && templates().includes(id)) return id
    throw new InvalidArgument(`${field}: there is no template '${id ?? ''}'`)
  }
  const storeOf = (template: string) => {
    const store = stores.get(template) ?? newStore()
    stores.set(template, store)
    return store
  }
  const all = (): Stored[] => {
    forgetOthers()
    return [...stores.values()].flatMap((store) => store.get())
  }

  return {
    assertTemplate,
    set: (make: () => Stored) => {
      const record = make()
      assertTemplate(record.template_id, 'template_id')
      return storeOf(record.template_id).set(() => record).answer
    },
    /** Replaces all records of a template; changes nothing if there are too many. */
    setAll: (template: string, records: readonly Stored[]) => {
      if (records.length > capacity)
        throw new ServiceFailure(-10, `not stored: a template can have at most ${capacity} ${kind} records`)
      const ids = records.map(({ id }) => id)
      const twice = ids.find((id, index) => ids.indexOf(id) < index)
      if (twice !== undefined) throw new InvalidArgument(`the id '${twice}' is used twice`)
      stores.set(template, newStore())
      for (const record of records) storeOf(template).set(() => record)
      changed()
    },
    /** Empty lists mean all. */
    get: (ids: readonly string[] = [], templateIds: readonly string[] = []): Stored[] =>
      all().filter(
        ({ id, template_id }) =>
          (ids.length === 0 || ids.includes(id)) &&
          (templateIds.length === 0 || templateIds.includes(template_id)),
      ),
    /** Without ids, all records of these templates. */
    delete: (ids: readonly string[] = [], templateIds: readonly string[]) => {
      for (const template of templateIds) {
        const store = stores.get(template)
        store?.delete(ids.length === 0 ? store.get().map(({ id }) => id) : ids)
      }
    },
    /** Deletes what is stored with a template. */
    forget: (template: string): void => {
      stores.delete(template)
    },
    /** All of them, because a missing template may be uploaded again before anybody reads them. */
    save: (): Json => [...stores.values()].flatMap((store) => store.get()),
    /** Missing values stay as they are. */
    restore: (saved: Json | undefined): void => {
      if (saved === undefined) return
      stores.clear()
      const records = saved as Stored[]
      for (const template of new Set(records.map(({ template_id }) => template_id)))
        storeOf(template).restore(records.filter(({ template_id }) => template_id === template))
    },
  }
}

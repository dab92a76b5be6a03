interface RecordKindDefinition {
  /** The node; other prefixes are resolved by the device. */
  node: string
  set: string
  /** The argument that takes the record; if missing, the record's fields are the arguments. */
  record?: string
  get: string
  remove: string
  ids: string
  list: string
}

const regions = { node: 'dev_roi_db', list: 'regions_of_interest' } as const

const kinds = {
  region: {
    ...regions,
    set: 'set_region_of_interest',
    record: 'region_of_interest',
    get: 'get_regions_of_interest',
    remove: 'delete_regions_of_interest',
    ids: 'region_of_interest_ids',
  },
  // Their list has no `_2d` in its name, unlike everything else of these services.
  region2d: {
    ...regions,
    set: 'set_region_of_interest_2d',
    record: 'region_of_interest_2d',
    get: 'get_regions_of_interest_2d',
    remove: 'delete_regions_of_interest_2d',
    ids: 'region_of_interest_2d_ids',
  },
  loadCarrier: {
    node: 'dev_load_carrier_db',
    set: 'set_load_carrier',
    record: 'load_carrier',
    get: 'get_load_carriers',
    remove: 'delete_load_carriers',
    ids: 'load_carrier_ids',
    list: 'load_carriers',
  },
  gripper: {
    node: 'dev_gripper_db',
    set: 'set_gripper',
    get: 'get_grippers',
    remove: 'delete_grippers',
    ids: 'gripper_ids',
    list: 'grippers',
  },
} satisfies Record<string, RecordKindDefinition>

export type RecordKind = keyof typeof kinds
export const recordKinds = Object.keys(kinds) as RecordKind[]
export const kindOf = (name: RecordKind): RecordKindDefinition => kinds[name]

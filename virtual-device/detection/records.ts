import type { Environment } from '../module'
import type { Gripper } from '../records/gripper'
import type { LoadCarrier, Region, Region2d } from '../records/records'
import { InvalidArgument } from '../services/arguments'

type Databases = Pick<Environment, 'global'>

/** Finds a record of a database by its id. @throws InvalidArgument naming the argument if there is none */
type Finder<Stored> = (databases: Databases, id: string, argument: string) => Stored

const finder =
  (database: string, service: string, ids: string, list: string): Finder<unknown> =>
  ({ global }, id, argument) => {
    const get = global(database)?.services[service]
    const answer = get?.call({ args: { [ids]: [id] }, parameters: {} }) ?? {}
    const [found] = (answer[list] ?? []) as unknown[]
    if (found === undefined) throw new InvalidArgument(`${argument}: '${id}' is not in ${database}`)
    return found
  }

export const storedRegion = finder(
  'roi_db',
  'get_regions_of_interest',
  'region_of_interest_ids',
  'regions_of_interest',
) as Finder<Region>
export const storedRegion2d = finder(
  'roi_db',
  'get_regions_of_interest_2d',
  'region_of_interest_2d_ids',
  'regions_of_interest',
) as Finder<Region2d>
export const storedLoadCarrier = finder(
  'load_carrier_db',
  'get_load_carriers',
  'load_carrier_ids',
  'load_carriers',
) as Finder<LoadCarrier>
export const storedGripper = finder(
  'gripper_db',
  'get_grippers',
  'gripper_ids',
  'grippers',
) as Finder<Gripper>

/**
 * A search for devices, for the open dialog. In: an optional range of addresses. Out: one JSON line per event, so that
 * results appear as they come; the search ends when the browser disconnects. Each device that answers is asked once for its
 * state over HTTP.
 */
import { searchDevices, type FoundDevice } from '../../../lib/discovery/search'
import { NotARange, type RangeFault } from '../../../lib/discovery/range'
import { Scope } from '../../../lib/kernel/scope'
import { Inspection } from '../../device/device'
import { sentencesOf } from '../../sentences'
import { type AdminCall, jsonBody } from '../../shared/admin'
import { loadClient } from '../../shared/load-later'
import { probe, type Probe } from './probe'

const { invalidInput } = sentencesOf('device-config')

/** A device as the dialog shows it. */
export interface OfferedDevice {
  /** Identifies it within this search. */
  key: string
  /** For the field *Address*. */
  address: string
  model: string
  manufacturer: string
  serial: string
  name: string
  /** On this computer. */
  isHere: boolean
  isOtherSubnet: boolean
}

/** One line of the answer. */
export type SearchEvent =
  | { kind: 'found'; device: OfferedDevice }
  /** What the device answered over HTTP; nothing is asked in another subnet. */
  | { kind: 'state'; key: string; probe: Probe }
  | { kind: 'progress'; asked: number; total: number }
  | { kind: 'end'; found: number }

/** Milliseconds of a device for its answer over HTTP. */
const patience = 2000

/** Most devices that are asked over HTTP. */
const mostProbed = 64

/** @throws INVALID_INPUT naming what is wrong with the range; nothing is sent then */
export async function search(
  { request, signal }: AdminCall,
  write: (event: SearchEvent) => void,
): Promise<void> {
  const { range = '' } = jsonBody(request)
  if (typeof range !== 'string') throw invalidInput('not-text', { field: 'range' })
  const scope = new Scope({ parent: signal })
  let probed = 0
  try {
    const found = await searchDevices({
      ...(range.trim() !== '' && { range: range.trim() }),
      signal,
      onProgress: (asked, total) => write({ kind: 'progress', asked, total }),
      onFound: (identity) => {
        const device = offered(identity)
        write({ kind: 'found', device })
        if (device.isOtherSubnet || ++probed > mostProbed) return
        scope.begin(async () =>
          write({ kind: 'state', key: device.key, probe: await stateOf(device, scope.signal) }),
        )
      },
    })
    await scope.ended()
    write({ kind: 'end', found: found.length })
  } catch (error) {
    throw error instanceof NotARange ? invalidInput(rangeFaults[error.fault], { range: error.range }) : error
  } finally {
    await scope.close()
  }
}

const rangeFaults = {
  form: 'range-form',
  order: 'range-order',
  size: 'range-size',
  public: 'range-public',
} as const satisfies Record<RangeFault, string>

function offered({
  mac,
  serial,
  details,
  from,
  address,
  isOtherSubnet,
  model,
  manufacturer,
  name,
}: FoundDevice) {
  const [, port] = /(?:^|[\s;])http=(\d{1,5})(?:$|[\s;])/.exec(details) ?? []
  const isHere = from.startsWith('127.')
  const host = isHere || isOtherSubnet ? address : from
  return {
    key: `${mac} ${serial} ${details}`,
    address: port === undefined || port === '80' ? host : `${host}:${port}`,
    ...{ model, manufacturer, serial, name, isHere, isOtherSubnet },
  }
}

async function stateOf({ address }: OfferedDevice, signal: AbortSignal): Promise<Probe> {
  const options = { address, deadline: patience, connectDeadline: patience }
  const inspection = new Inspection(loadClient().createClient, options)
  try {
    return await probe(inspection, signal)
  } finally {
    await inspection.close()
  }
}

import type { StreamMessageType } from '../codec/streams'
import { inDestination } from './destination'
import type { ReceiverOptions } from './receiver-options'
import { addressesOf, routeTo } from './route'
import { hostOf } from './socket-hub'

interface ListeningPlace {
  /** Local address to listen on. */
  address: string
  /** Local address that the device sends to, IPv6 in brackets. */
  reachedAt: string
  /** Hosts whose datagrams are accepted; undefined accepts all. */
  hosts: ReadonlySet<string> | undefined
}

const notOne = ['', '0.0.0.0', '::']

/** @throws VisionError `UNREACHABLE` */
export async function listeningPlace({
  device,
  address = '',
  allow = [],
}: Pick<ReceiverOptions<StreamMessageType>, 'device' | 'address' | 'allow'>): Promise<ListeningPlace> {
  const fixed = !notOne.includes(address)
  const route = fixed
    ? { local: address, device: allow === 'all' ? [] : await addressesOf(device) }
    : await routeTo(device)
  const others = allow === 'all' ? [] : (await Promise.all(allow.map(addressesOf))).flat()
  return {
    address: address === '' ? route.local : address,
    reachedAt: inDestination(route.local),
    hosts: allow === 'all' ? undefined : new Set([...route.device, ...others].map(hostOf)),
  }
}

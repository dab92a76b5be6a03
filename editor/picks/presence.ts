import type { DeviceApi } from '../device-api'
import { isNotDeployed, problemIn } from '../request'
import { offers, type PickKind, type OfferQuery } from './offers'

/** Whether the device has something with this name; for a node, the device's own name if that differs. */
export type Presence = { is: 'there' | 'missing' | 'unknown' } | { is: 'renamed'; name: string }

/** Never rejects: if a device does not answer, nothing is known. */
export async function presence(
  api: DeviceApi,
  kind: PickKind,
  place: OfferQuery,
  name: string,
): Promise<Presence> {
  try {
    const known = await offers(api, kind, { ...place, needs: undefined })
    if (known.some((offer) => offer.name === name)) return { is: 'there' }
    return kind === 'node' || kind === 'global-node' ? await ownName(api, place, name) : { is: 'missing' }
  } catch (problem) {
    const found = problemIn(problem)
    const isAbsent = found?.code === 'NOT_FOUND' && !isNotDeployed(found)
    return { is: isAbsent && kind !== 'parameter' && kind !== 'service' ? 'missing' : 'unknown' }
  }
}

/** Another brand's name of a node differs only by its prefix; the runtime knows the rule. */
async function ownName(api: DeviceApi, { pipeline }: OfferQuery, node: string): Promise<Presence> {
  const { name } = pipeline
    ? await api.read('getNode', { pipeline, node })
    : await api.read('getGlobalNode', { node })
  return name === node ? { is: 'there' } : { is: 'renamed', name }
}

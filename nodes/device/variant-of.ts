import type { CallOptions, Client } from '../../lib'
import type { SysInfo, Variant } from '../../lib/contract'
import { codeOf } from '../shared/node-error'

/** Only multi devices have these. */
const multiOnly = ['pipelines', 'sensor_interfaces', 'userspace'] as const

/** Determines the variant from the state of the device, or from a resource that only one variant has. */
export async function variantOf(
  client: Client,
  system: SysInfo,
  options: CallOptions,
): Promise<Variant | undefined> {
  if (multiOnly.some((key) => system[key] !== undefined)) return 'multi'
  try {
    await client.getUserSpace(options)
    return 'multi'
  } catch (error) {
    // A question without an answer is repeated at the next check.
    return answered.has(codeOf(error) ?? '') ? 'single' : undefined
  }
}

const answered: ReadonlySet<string> = new Set(['NOT_FOUND', 'BAD_REPLY', 'FORBIDDEN'])

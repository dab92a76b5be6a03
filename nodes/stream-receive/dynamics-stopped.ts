import { innerState } from '../../lib/contract/reading/inner-state'
import type { Connection } from '../device/connection'

/**
 * Whether the module that estimates the device's motion is not running: poses and dynamics are sent only while it runs.
 */
export async function dynamicsStopped(device: Connection, signal: AbortSignal): Promise<boolean> {
  try {
    const { status, values } = await device.onNode(
      { pipeline: '0', node: 'dev_dynamics', signal },
      ({ node }) => device.client.getNodeStatus({ pipeline: '0', node }, { signal }),
    )
    return innerState(values) === 'IDLE' || status === 'idle'
  } catch {
    // This is only a hint: if the device cannot answer, the stream has not failed.
    return false
  }
}

import { innerState } from '../../lib/contract/reading/inner-state'
import type { Connection } from '../device/connection'

/** Whether the module that estimates the device's motion does not run: poses and dynamics come only while it does. */
export async function dynamicsStopped(device: Connection, signal: AbortSignal): Promise<boolean> {
  try {
    const { status, values } = await device.onNode(
      { pipeline: '0', node: 'dev_dynamics', signal },
      ({ node }) => device.client.getNodeStatus({ pipeline: '0', node }, { signal }),
    )
    return innerState(values) === 'IDLE' || status === 'idle'
  } catch {
    // Nobody asked for it: a device that cannot tell is no failure of the stream.
    return false
  }
}

import type { AcquisitionSteps } from '../../lib/images/acquisition'
import { refusal, refusedError, returnCodeIn } from '../../lib/client/error-answer'
import { depthPeriod } from '../call-service/start-idle-module'
import type { Connection } from '../device/connection'
import { inPipeline } from '../device/known-nodes'
import { placeOf } from '../shared/node-error'

const service = 'acquisition_trigger'

/** The depth module whose pictures are taken, as the flow names it. */
interface DepthModule {
  pipeline: string
  node: string
  signal: AbortSignal
}

/** What an acquisition does on a device. The mode is put back even if the flow stops meanwhile. */
export function stepsOn(device: Connection, asked: DepthModule): Omit<AcquisitionSteps, 'onTaken'> {
  const { client } = device
  const param = 'acquisition_mode'
  const read = (node: string, param: string) =>
    device.onNode({ ...asked, node }, (target) =>
      client.getParameter({ ...inPipeline(target), param }, { signal: asked.signal }),
    )
  return {
    mode: async () => String((await read(asked.node, param)).value),
    setMode: async (value, isRestored) => {
      const signal = isRestored ? new AbortController().signal : asked.signal
      await device.onNode({ ...asked, signal }, (target) =>
        client.setParameter({ ...inPipeline(target), param, value }, { signal }),
      )
    },
    trigger: async () => {
      const { response } = await device.onNode(asked, (target) =>
        client.callService({ ...inPipeline(target), service, args: {} }, { signal: asked.signal }),
      )
      const refused = refusal(response)
      if (refused)
        throw refusedError(refused, { operation: 'callService', what: service, ...placeOf(client) })
      return returnCodeIn(response) ?? { value: 0, message: '' }
    },
    period: () => depthPeriod(asked.node, read),
  }
}

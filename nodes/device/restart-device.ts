import type { SysInfo } from '../../lib/contract'
import { reboot } from '../../lib/system/reboot'
import { spoken } from '../shared/node-error'
import type { NodeInput } from './on-input'
import { sentencesOf } from '../sentences'

const { told } = sentencesOf('device')

/**
 * Restarts the device of a node and waits until it is ready; reports each step as a message and as the status.
 * @param readyWithin seconds
 * @param output for the message of each step; from 0
 */
export const restartDevice = (
  { device, signal, tell, progress }: Pick<NodeInput<never>, 'device' | 'signal' | 'tell' | 'progress'>,
  readyWithin: number,
  output: number,
): Promise<SysInfo> =>
  reboot(device.client, {
    signal,
    readyWithin,
    language: spoken(),
    onPhase: (phase, seconds) => {
      progress('rebooting')
      const rounded = Math.round(10 * seconds) / 10
      tell(
        output,
        { payload: { phase, seconds: rounded } },
        told(`result-restart-${phase}`, {}, { value: rounded }),
      )
    },
  })

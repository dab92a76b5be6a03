import type { OperationId } from '../../lib/contract'
import { Refusal } from '../refusal'
import { globalNodes } from './global-nodes'
import type { Handler, Handlers } from './handler'
import { logs } from './logs'
import { pipelineNodes } from './pipeline-nodes'
import { pipelines } from './pipelines'
import { system } from './system'
import { userSpace } from './user-space'

const finished = {
  ...globalNodes,
  ...pipelineNodes,
  ...pipelines,
  ...logs,
  ...system,
  ...userSpace,
} satisfies Partial<Handlers>

/** Exactly the operations that have no handler yet; they answer 501. */
export const unfinished = {
  getBackup: true,
  restoreBackup: true,
  uploadLicense: true,
  reboot: true,
  rollback: true,
  uploadFirmware: true,
  listStreams: true,
  getStream: true,
  addDestination: true,
  removeDestination: true,
} satisfies Record<Exclude<OperationId, keyof typeof finished>, true>

const notYet = () => {
  throw new Refusal(501, 'the virtual device cannot do this yet')
}

/** The handler of an operation; what it takes and answers is checked where it is called. */
export const handlerOf = (id: OperationId): Handler<OperationId> =>
  (id in finished ? finished[id as keyof typeof finished] : notYet) as Handler<OperationId>

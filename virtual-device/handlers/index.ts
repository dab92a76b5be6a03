import type { OperationId } from '../../lib/contract'
import { backup } from './backup'
import { cad } from './cad'
import { dataStreams } from './data-streams'
import { firmware } from './firmware'
import { globalNodes } from './global-nodes'
import type { Handler, Handlers } from './handler'
import { license } from './license'
import { logs } from './logs'
import { network } from './network'
import { pipelineNodes } from './pipeline-nodes'
import { pipelines } from './pipelines'
import { robotInterface } from './robot-interface'
import { system } from './system'
import { templates } from './templates'
import { time } from './time'
import { uiLock } from './ui-lock'
import { userSpace } from './user-space'

/** One handler per operation; a missing one does not compile. */
const handlers = {
  ...globalNodes,
  ...pipelineNodes,
  ...pipelines,
  ...logs,
  ...system,
  ...network,
  ...time,
  ...license,
  ...firmware,
  ...backup,
  ...uiLock,
  ...dataStreams,
  ...templates,
  ...cad,
  ...robotInterface,
  ...userSpace,
} satisfies Handlers

/** The handler of an operation; the caller checks its input and answer. */
export const handlerOf = (id: OperationId) => handlers[id] as Handler<OperationId>

import type { OperationId } from '../../lib/contract'
import { backup, firmware, license, network, system, time, uiLock, userSpace } from './system'
import { cad, templates } from './stored-files'
import { dataStreams, globalNodes, logs, pipelineNodes, pipelines } from './pipeline-nodes'
import type { Handler, Handlers } from './handler'
import { robotInterface } from './robot-interface'

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

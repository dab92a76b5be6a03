/** A node of a device. */
export interface DeviceNode {
  /** Id of the configuration node. */
  device: string
  /** Empty for a global node. */
  pipeline: string
  node: string
}

/** The fields with which a node in a flow addresses it; global nodes can be addressed from any pipeline. */
export const flowFields = ({ device, pipeline, node }: DeviceNode) => ({
  device,
  pipeline: pipeline || '0',
  pipelineType: 'str',
  node,
  nodeType: 'str',
})

/** A node of a device. */
export interface DeviceNode {
  /** Id of the configuration node. */
  device: string
  /** Empty for a global node. */
  pipeline: string
  node: string
}

/** The fields by which a node in a flow finds it; global nodes are found from any pipeline. */
export const flowFields = ({ device, pipeline, node }: DeviceNode) => ({
  device,
  pipeline: pipeline || '0',
  pipelineType: 'str',
  node,
  nodeType: 'str',
})

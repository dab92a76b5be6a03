import type { FlowNode } from '../support/example'

/** Virtual devices that boot faster than those of the example. */
export const bootingFast = (nodes: FlowNode[]): FlowNode[] =>
  nodes.map((node) =>
    node.type === 'vision-virtual-device'
      ? { ...node, scenario: JSON.stringify({ boot_seconds: 0.6, boot_502_seconds: 0.05, update_seconds: 0.1 }) }
      : node,
  )

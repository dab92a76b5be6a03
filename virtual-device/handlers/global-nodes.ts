import { callService } from './call-service'
import { globalNode } from './find'
import type { Handlers } from './handler'

export const globalNodes = {
  listGlobalNodes: ({ global }) => [...global.values()].map((node) => node.info()),
  getGlobalNode: (device, { node }) => globalNode(device, node).info(),
  listGlobalServices: (device, { node }) => globalNode(device, node).describeServices(),
  getGlobalService: (device, { node, service }) => globalNode(device, node).describeService(service),
  callGlobalService: (device, { node, service, args }) =>
    callService(device, globalNode(device, node), service, args),
  getGlobalNodeStatus: (device, { node }) => globalNode(device, node).status(device.now()),
} satisfies Partial<Handlers>

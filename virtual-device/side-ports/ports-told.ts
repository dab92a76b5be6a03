import { sentence } from '../sentences'
import type { SidePorts, SideServiceName } from './side-service'

/** The ports beside the API in words, each beginning with a comma; empty if there are none. */
export const portsTold = (ports: SidePorts): string =>
  (Object.keys(ports) as SideServiceName[])
    .map((name) => {
      const { port, instead_of } = ports[name] ?? {}
      const told = { service: sentence(`sidePort.${name}`), port, taken: instead_of }
      return sentence(instead_of === undefined ? 'sidePort.at' : 'sidePort.moved', told)
    })
    .join('')

import type { Parameter } from '../../lib/contract'

/** Milliseconds from an accepted trigger to its depth image, by the parameter `quality`. */
const periods: Readonly<Partial<Record<string, number>>> = {
  Low: 40,
  Medium: 1000 / 15,
  High: 1000 / 3,
  Full: 1000,
}

const depthNode = /stereomatching$/

/** Whether that service is answered when the device accepts it, before its image is there. */
export const isAcquisition = (service: string) => service === 'acquisition_trigger'

/**
 * Milliseconds from an accepted trigger to its depth image: never less than one period of the camera.
 * @param node whose service triggers; the camera beside it has the same prefix
 */
export async function depthPeriod(
  node: string,
  parameter: (node: string, name: string) => Promise<Pick<Parameter, 'value'>>,
): Promise<number> {
  if (!depthNode.test(node)) return 0
  const { value: quality } = await parameter(node, 'quality')
  const { value: fps } = await parameter(node.replace(depthNode, 'camera'), 'fps')
  const rate = Number(fps)
  return Math.max(periods[String(quality)] ?? 0, rate > 0 ? 1000 / rate : 0)
}

import { deviceApi } from '../device-api'
import { sharedText } from '../shared-text'

/** The modes in which a node waits for a trigger, by node. */
const nodes = [
  { node: 'dev_camera', waits: ['Trigger'] },
  { node: 'dev_stereomatching', waits: ['SingleFrame', 'SingleFrameOut1'] },
] as const

/** Why no picture may come: the device waits for a trigger. Empty if the device does not say so. */
export async function whyNoPicture(device: string, pipeline: string, part: string): Promise<string> {
  for (const { node, waits } of nodes) {
    if (part === 'left' && node !== 'dev_camera') continue
    try {
      const place = { pipeline, node, param: 'acquisition_mode' }
      const { value } = await deviceApi(device).read('getParameter', place, { fresh: true })
      if (waits.some((mode) => mode === value))
        return sharedText('picture.waitsForTrigger', { node, mode: String(value) })
    } catch {
      // Not every device has the parameter.
    }
  }
  return ''
}

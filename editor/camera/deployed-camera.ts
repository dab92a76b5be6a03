import { sharedText } from '../shared-text'
import type { ViewedCamera } from './camera-view'

/** The camera of a device as it runs; a sentence if it does not run as the editor has it. */
export function deployedCamera(device: string, pipeline: string): ViewedCamera | string {
  const node = RED.nodes.node(device) as EditorNode | null
  if (!node || node['d'] || node['changed']) return sharedText('picture.deployFirst')
  return { device, pipeline }
}

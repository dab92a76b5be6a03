import type { Scene } from './scene'

/**
 * What is in front of the camera with all its sizes, in metres; poses in the camera's frame. A curved item is an
 * ellipsoid in its bounding box; every other one has a rectangle on top.
 */
export const sceneSizes = ({ bin, items, tags }: Scene) => ({
  load_carrier: bin
    ? { inner_dimensions: bin.inner, outer_dimensions: bin.outer, pose: bin.pose, pose_frame: 'camera' }
    : null,
  items: items.map(({ curved, size, pose, top }) => ({
    type: curved ? 'ELLIPSOID' : 'RECTANGLE',
    bounding_box: size,
    pose,
    pose_frame: 'camera',
    on_top: top,
  })),
  tags: tags.map(({ kind, id, size, pose }) => ({ kind, id, size, pose, pose_frame: 'camera' })),
})

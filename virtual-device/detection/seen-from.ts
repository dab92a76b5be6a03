import { composed, type Pose } from '../../lib/robotics/pose'

interface Placed {
  pose: Pose
}

/** Things in the frame of a camera. */
interface Things {
  floor: Pose
  bin: Placed | undefined
  items: readonly Placed[]
  tags: readonly Placed[]
}

/**
 * A scene that stands still, for a camera that has moved.
 *
 * @param before the camera for which the scene was made, in its own frame of now
 */
export function seenFrom<Scene extends Things>(scene: Scene, before: Pose): Scene {
  const seen = <Thing extends Placed>(thing: Thing): Thing => ({
    ...thing,
    pose: composed(before, thing.pose),
  })
  return {
    ...scene,
    floor: composed(before, scene.floor),
    bin: scene.bin && seen(scene.bin),
    items: scene.items.map(seen),
    tags: scene.tags.map(seen),
  }
}

import { Value } from '../../../lib/typebox'
import 'should'
import { pointIn, seenFrom, viewOf } from '../../../virtual-device/detection/geometry'
import { boxesTouch, turnedBox } from '../../../virtual-device/detection/collisions'
import { sceneOf, type Item, type Scene, SceneSettings } from '../../../virtual-device/detection/scene'
import { moduleBench } from '../../support/module-bench'

const seeds = Array.from({ length: 100 }, (_, seed) => seed)
const sceneWith = (seed: number, changes: Partial<SceneSettings> = {}) =>
  sceneOf({ ...Value.Create(SceneSettings), ...changes }, seed)
const view = viewOf(moduleBench())

const corners = ({ size, pose }: Item) =>
  [-1, 1].flatMap((x) =>
    [-1, 1].flatMap((y) =>
      [-1, 1].map((z) => pointIn(pose, { x: (x * size.x) / 2, y: (y * size.y) / 2, z: (z * size.z) / 2 })),
    ),
  )
const boxOf = ({ size, pose }: Item) =>
  turnedBox({ half: { x: size.x / 2, y: size.y / 2, z: size.z / 2 }, pose })
const bin = ({ bin: found }: Scene) => {
  if (!found) throw new Error('no load carrier')
  return found
}

describe('the scene of detection', () => {
  it('is the same for the same seed, and different for another seed', () => {
    sceneWith(7).should.deepEqual(sceneWith(7))
    sceneWith(7).should.not.deepEqual(sceneWith(8))
  })

  it('has all items with all their corners inside the load carrier', () => {
    for (const seed of seeds) {
      const scene = sceneWith(seed)
      const { inner, outer, pose } = bin(scene)
      scene.items.should.have.length(18)
      for (const item of scene.items)
        for (const corner of corners(item)) {
          const { x, y, z } = seenFrom(pose, corner)
          Math.abs(x).should.be.below(inner.x / 2)
          Math.abs(y).should.be.below(inner.y / 2)
          z.should.be.within(outer.z / 2 - inner.z - 1e-9, outer.z / 2)
        }
    }
  })

  it('has no intersecting items', () => {
    for (const seed of seeds.slice(0, 30)) {
      const boxes = sceneWith(seed, { items: 40 }).items.map(boxOf)
      for (const [index, box] of boxes.entries())
        boxes
          .slice(index + 1)
          .some((other) => boxesTouch(box, other))
          .should.be.false()
    }
  })

  it('shows the load carrier, all items and all tags to the camera', () => {
    for (const seed of seeds) {
      const scene = sceneWith(seed)
      for (const item of scene.items) corners(item).every(view.inImage).should.be.true()
      scene.tags.should.have.length(8)
      for (const { pose, size } of scene.tags)
        for (const [x, y] of [
          [-1, -1],
          [-1, 1],
          [1, -1],
          [1, 1],
        ] as const)
          view.inImage(pointIn(pose, { x: (x * size) / 2, y: (y * size) / 2, z: 0 })).should.be.true()
    }
  })

  it('has flat and curved items on top', () => {
    for (const seed of seeds) {
      const top = sceneWith(seed).items.filter(({ top }) => top)
      top.filter(({ curved }) => curved).length.should.be.within(3, 5)
      top.filter(({ curved }) => !curved).length.should.be.within(7, 9)
    }
  })

  it('has tags that face the camera: x to the right, y down, z away', () => {
    for (const { pose } of sceneWith(1).tags) {
      const ahead = seenFrom({ ...pose, position: { x: 0, y: 0, z: 0 } }, { x: 0, y: 0, z: 1 })
      ahead.z.should.be.above(0.99)
      const right = seenFrom({ ...pose, position: { x: 0, y: 0, z: 0 } }, { x: 1, y: 0, z: 0 })
      right.x.should.be.above(0.9)
    }
  })

  it('is on the floor without a load carrier', () => {
    for (const seed of seeds.slice(0, 10)) {
      const scene = sceneWith(seed, { load_carrier: false })
      for (const item of scene.items)
        for (const corner of corners(item)) seenFrom(scene.floor, corner).z.should.be.above(-1e-9)
    }
  })

  it('rises above the rim with more items', () => {
    const scene = sceneWith(1, { items: 60 })
    const { outer, pose } = bin(scene)
    scene.items
      .some((item) => corners(item).some((corner) => seenFrom(pose, corner).z > outer.z / 2))
      .should.be.true()
  })
})

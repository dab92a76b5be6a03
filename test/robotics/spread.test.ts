import should from 'should'
import {
  assess,
  angleOf,
  composed,
  conjugated,
  degrees,
  distance,
  distinctPoses,
  nearDuplicates,
  nextPose,
  product,
  spreadOf,
  type Finding,
  type NextPose,
  type NextPoseOptions,
  type Pose,
  type Vector,
} from '../../lib/robotics'
import { fourAxisPoses, fullPoses, turned } from './seeded-poses'
import { betaShare, fQuantile } from '../../lib/robotics/hand-eye/likelihood'

const kinds = (findings: readonly Finding[], severity: Finding['severity']) =>
  findings.filter((finding) => finding.severity === severity).map(({ kind }) => kind)

describe('the spread of a set of poses', () => {
  it('is the largest rotation and the largest distance between any two', () => {
    const { rotationDegrees, translation } = spreadOf([
      turned('x', -10, 0.1),
      turned('x', 25, 0.1, 0.3),
      turned('y', 5, 0.1, 0, 0.4),
    ])
    rotationDegrees.should.be.approximately(35, 1e-9)
    translation.should.be.approximately(0.5, 1e-9)
  })

  it('counts the axes about which the poses rotate', () => {
    spreadOf([turned('x', 0), turned('x', 0, 0.5)]).independentAxes.should.equal(0)
    spreadOf([-20, 0, 20].map((angle) => turned('y', angle))).independentAxes.should.equal(1)
    spreadOf([turned('x', 20), turned('x', 0), turned('y', 20)]).independentAxes.should.equal(2)
    spreadOf(fullPoses(8, 30)).independentAxes.should.equal(3)
  })

  it('names the axis of a set that rotates about one only, in the frame of the hand', () => {
    const down = turned('x', 180).orientation
    const poses = [-30, 10, 30].map((angle) => ({
      ...turned('x', 0),
      orientation: product(down, turned('z', angle).orientation),
    }))
    const [{ axis, degrees: angle }, second] = spreadOf(poses).axes
    axis.z.should.be.approximately(1, 1e-9)
    angle.should.be.above(20)
    second.degrees.should.be.below(1e-4)
  })

  it('is empty for one pose and for none', () => {
    for (const poses of [[], [turned('x', 30)]]) {
      const { rotationDegrees, translation, independentAxes } = spreadOf(poses)
      ;[rotationDegrees, translation, independentAxes].should.deepEqual([0, 0, 0])
    }
  })
})

describe('nearly identical poses', () => {
  const poses = [turned('x', 0), turned('x', 20), turned('x', 1, 0.005), turned('x', 0, 0.1)]

  it('are found by rotation and distance together', () => {
    const found = nearDuplicates(poses)
    found.map(({ poses: pair }) => pair).should.deepEqual([[0, 2]])
    found[0]?.degrees.should.be.approximately(1, 1e-9)
    found[0]?.metres.should.be.approximately(0.005, 1e-9)
  })

  it('count as one', () => {
    distinctPoses(poses).should.equal(3)
    distinctPoses(Array.from({ length: 6 }, () => turned('x', 3))).should.equal(1)
  })
})

describe('assessing a set of poses', () => {
  it('finds nothing in a good one', () => {
    const { findings, good, usable } = assess(fullPoses(10, 25))
    findings.should.deepEqual([])
    ;[good, usable].should.deepEqual([true, true])
  })

  const sets: [string, Pose[], Finding['kind'][], Finding['kind'][]][] = [
    ['three poses', fullPoses(3, 25), ['too-few-poses'], []],
    ['five poses', fullPoses(5, 25), [], ['few-poses']],
    [
      'one pose repeated',
      [...fullPoses(3, 25), ...fullPoses(3, 25)],
      ['too-few-poses'],
      ['near-duplicates', 'near-duplicates', 'near-duplicates'],
    ],
    [
      'turns about one axis',
      [-30, -20, -10, 0, 10, 20, 30, 40].map((angle) => turned('z', angle, angle / 100)),
      ['single-axis'],
      [],
    ],
    [
      'hardly any rotation',
      [-7, -5, -3, -1, 1, 3, 5, 7].map((offset) => turned('z', 0, offset / 50)),
      ['little-rotation'],
      [],
    ],
    [
      'a weak second axis',
      [...[-30, -20, -10, 0, 10, 20, 30].map((angle) => turned('z', angle, angle / 100)), turned('x', 8)],
      [],
      ['weak-second-axis'],
    ],
    ['little rotation about many axes', fullPoses(20, 8), [], ['little-rotation']],
    [
      'a hand that travels far',
      [...fullPoses(9, 25), { ...turned('x', 170), position: { x: 2, y: 0, z: 0 } }],
      [],
      ['much-translation'],
    ],
  ]
  for (const [what, poses, refusals, warnings] of sets)
    it(`finds ${what}`, () => {
      const { findings, usable } = assess(poses)
      kinds(findings, 'refuse').should.deepEqual(refusals)
      kinds(findings, 'warn').should.containDeep(warnings)
      if (!refusals.length) kinds(findings, 'warn').should.deepEqual(warnings)
      usable.should.equal(refusals.length === 0)
    })

  it('accepts that a robot with four degrees of freedom turns about its one axis', () => {
    assess(fourAxisPoses(10), { axis: 'z' }).findings.should.deepEqual([])
  })

  it('requires such a robot to move as well, and to turn about no other axis', () => {
    const onTheSpot = [-40, -30, -20, -10, 10, 20, 30, 40].map((angle) => turned('z', angle))
    kinds(assess(onTheSpot, { axis: 'z' }).findings, 'refuse').should.deepEqual(['little-translation'])
    kinds(assess(fullPoses(10, 25), { axis: 'z' }).findings, 'refuse').should.deepEqual([
      'more-than-one-axis',
    ])
  })
})

describe('the next pose', () => {
  const first: Pose = { position: { x: 0.5, y: 0.1, z: 0.6 }, orientation: turned('x', 170).orientation }
  const grid = { x: 0.02, y: -0.01, z: 0.8 }
  const seenAt = ({ position, orientation }: Pose) => composed({ position, orientation }, at(grid)).position
  const at = (position: Vector): Pose => ({ position, orientation: { w: 1, x: 0, y: 0, z: 0 } })
  /** Follows all advice from the first pose on. */
  const followed = (options: NextPoseOptions = {}) => {
    const poses = [first]
    const steps: NextPose[] = []
    for (let next = nextPose(poses, { grid, ...options }); next && poses.length < 16;) {
      steps.push(next)
      poses.push(next.pose)
      next = nextPose(poses, { grid, ...options })
    }
    return { poses, steps }
  }

  it('keeps the grid in its place in the picture', () => {
    for (const pose of followed().poses) distance(seenAt(pose), seenAt(first)).should.be.below(1e-9)
  })

  it('rotates by the same angle each time about an axis of the hand at its starting pose', () => {
    const { poses, steps } = followed()
    for (const { from, axis, degrees: angle, pose } of steps.slice(0, 7)) {
      Math.abs(angle).should.equal(30)
      const start = poses[from]?.orientation ?? first.orientation
      const wanted = product(start, turned(axis, angle).orientation)
      degrees(angleOf(product(conjugated(wanted), pose.orientation))).should.be.below(1e-6)
    }
  })

  it('leads to eight poses without findings', () => {
    let poses = [first]
    for (;;) {
      const { next, good } = assess(poses, { grid })
      if (!next) {
        good.should.be.true()
        break
      }
      poses = [...poses, next.pose]
    }
    poses.should.have.length(8)
  })

  it('never views the grid at a steep angle, nor far rotated', () => {
    for (const pose of followed().poses) {
      const { w, x, y, z } = product(conjugated(first.orientation), pose.orientation)
      const tilt = degrees(2 * Math.asin(Math.min(1, Math.hypot(x, y))))
      tilt.should.be.below(38)
      const roll = degrees(2 * Math.atan2(z, w))
      Math.abs(((roll + 540) % 360) - 180).should.be.below(68)
    }
  })

  it('halves the step if the grid was not recognised, and does not return there', () => {
    const tried = nextPose([first], { grid })
    if (!tried) throw new Error('no advice')
    const rejected = [tried.pose]
    const half = nextPose([first], { grid, rejected, failures: 1 })
    Math.abs(half?.degrees ?? 0).should.equal(15)
    // A pose that was recorded in between lets it continue with full steps elsewhere.
    const poses = [first, half?.pose ?? first]
    const onward = nextPose(poses, { grid, rejected })
    Math.abs(onward?.degrees ?? 0).should.equal(30)
    const apart = product(conjugated(tried.pose.orientation), onward?.pose.orientation ?? first.orientation)
    degrees(angleOf(apart)).should.be.above(7)
  })

  it("keeps to the robot's one axis, moves across it, and ends there too", () => {
    let poses = [turned('z', 0)]
    for (let next = assess(poses, { axis: 'z' }).next; next; next = assess(poses, { axis: 'z' }).next) {
      next.axis.should.equal('z')
      Math.abs(next.shift?.metres ?? 0).should.equal(0.06)
      should(next.shift?.axis).not.equal('z')
      poses = [...poses, next.pose]
      poses.length.should.be.belowOrEqual(12)
    }
    assess(poses, { axis: 'z' }).good.should.be.true()
  })

  it('makes any set of single-axis poses usable', () => {
    const poses = [-30, -10, 10, 30].map((angle) => turned('x', angle, angle / 100))
    const { next, usable } = assess(poses)
    usable.should.be.false()
    if (!next) throw new Error('no advice')
    assess([...poses, next.pose]).usable.should.be.true()
  })

  it('is undefined without a pose to start from', () => {
    ;(nextPose([]) === undefined).should.be.true()
  })
})

describe('quantiles of the F distribution', () => {
  for (const [above, below, expected] of [
    [1, 4, 7.708647],
    [3, 10, 3.708265],
    [6, 18, 2.661305],
    [6, 36, 2.363751],
    [3, 1e6, 7.814728 / 3],
  ] as const)
    it(`match the tables for ${above} and ${below} degrees of freedom`, () => {
      fQuantile(0.95, above, below).should.be.approximately(expected, 2e-5)
    })

  it('leave the given share below them', () => {
    for (const share of [0.05, 0.5, 0.95, 0.99])
      for (const [above, below] of [
        [2.3, 5.7],
        [0.8, 41],
        [12, 3.2],
      ] as const) {
        const x = (above * fQuantile(share, above, below)) / below
        betaShare(x / (1 + x), above / 2, below / 2).should.be.approximately(share, 1e-9)
      }
  })
})

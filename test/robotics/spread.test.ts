import 'should'
import {
  assess,
  angleOf,
  conjugated,
  degrees,
  distinctPoses,
  nearDuplicates,
  nextPose,
  product,
  spreadOf,
  type Finding,
  type Pose,
} from '../../lib/robotics'
import { fourAxisPoses, fullPoses, turned } from './seeded-poses'

const kinds = (findings: readonly Finding[], severity: Finding['severity']) =>
  findings.filter((finding) => finding.severity === severity).map(({ kind }) => kind)

describe('the spread of a set of poses', () => {
  it('is the widest rotation and the widest distance between any two', () => {
    const { rotationDegrees, translation } = spreadOf([
      turned('x', -10, 0.1),
      turned('x', 25, 0.1, 0.3),
      turned('y', 5, 0.1, 0, 0.4),
    ])
    rotationDegrees.should.be.approximately(35, 1e-9)
    translation.should.be.approximately(0.5, 1e-9)
  })

  it('counts the axes about which the poses turn', () => {
    spreadOf([turned('x', 0), turned('x', 0, 0.5)]).independentAxes.should.equal(0)
    spreadOf([-20, 0, 20].map((angle) => turned('y', angle))).independentAxes.should.equal(1)
    spreadOf([turned('x', 20), turned('x', 0), turned('y', 20)]).independentAxes.should.equal(2)
    spreadOf(fullPoses(8, 30)).independentAxes.should.equal(3)
  })

  it('names the axis of a set that turns about one only, in the frame of the hand', () => {
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

  it('is nothing for one pose and for none', () => {
    for (const poses of [[], [turned('x', 30)]]) {
      const { rotationDegrees, translation, independentAxes } = spreadOf(poses)
      ;[rotationDegrees, translation, independentAxes].should.deepEqual([0, 0, 0])
    }
  })
})

describe('poses that are nearly the same', () => {
  const poses = [turned('x', 0), turned('x', 20), turned('x', 1, 0.005), turned('x', 0, 0.1)]

  it('are found by turn and distance together', () => {
    const found = nearDuplicates(poses)
    found.map(({ poses: pair }) => pair).should.deepEqual([[0, 2]])
    found[0]?.degrees.should.be.approximately(1, 1e-9)
    found[0]?.metres.should.be.approximately(0.005, 1e-9)
  })

  it('count once', () => {
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

  it('lets a robot of four degrees of freedom turn about its one axis', () => {
    assess(fourAxisPoses(10), { axis: 'z' }).findings.should.deepEqual([])
  })

  it('wants such a robot to move as well, and to turn about nothing else', () => {
    const onTheSpot = [-40, -30, -20, -10, 10, 20, 30, 40].map((angle) => turned('z', angle))
    kinds(assess(onTheSpot, { axis: 'z' }).findings, 'refuse').should.deepEqual(['little-translation'])
    kinds(assess(fullPoses(10, 25), { axis: 'z' }).findings, 'refuse').should.deepEqual([
      'more-than-one-axis',
    ])
  })
})

describe('the next pose', () => {
  it('turns about the axis that is missing', () => {
    const poses = [turned('x', -20), turned('x', 0), turned('x', 20), turned('y', 20), turned('y', -20)]
    const next = nextPose(poses)
    next?.should.have.properties({ axis: 'z', from: 1 })
    const reached = next?.orientation ?? turned('x', 0).orientation
    degrees(
      angleOf(product(conjugated(turned('z', next?.degrees ?? 0).orientation), reached)),
    ).should.be.below(1e-6)
  })

  it('turns back where the other direction was used', () => {
    const next = nextPose([
      turned('z', 0),
      turned('x', 20),
      turned('y', 20),
      turned('y', -20),
      turned('z', 20),
      turned('z', -20),
    ])
    next?.should.have.properties({ axis: 'x', degrees: -20 })
  })

  it('keeps to the one axis that the robot has', () => {
    nextPose([turned('z', 0), turned('z', 20)], 'z')?.axis.should.equal('z')
  })

  it('makes any set of single-axis poses usable', () => {
    const poses = [-30, -10, 10, 30].map((angle) => turned('x', angle, angle / 100))
    const { next, usable } = assess(poses)
    usable.should.be.false()
    if (!next) throw new Error('no advice')
    assess([
      ...poses,
      { position: { x: 0, y: 0.1, z: 0 }, orientation: next.orientation },
    ]).usable.should.be.true()
  })

  it('is unknown without a pose to start from', () => {
    ;(nextPose([]) === undefined).should.be.true()
  })
})

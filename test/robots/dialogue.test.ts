import should from 'should'
import { poseOfNumbers, type Pose } from '../../lib/robotics'
import { implausibility, type Reply } from '../../lib/robots/cycle'
import { RobotDialogue, type DialogueOptions } from '../../lib/robots/dialogue'
import { at, codes, present } from './options'

const three = [at(400, 0, 300), at(410, 0, 300), at(420, 0, 300)].map((pose, index) => ({
  pose,
  score: 0.9 - index / 10,
}))

function dialogue(more: Partial<DialogueOptions> = {}) {
  let number = 0
  const newToken = () => `t${String(++number)}`
  return new RobotDialogue({ codes, deadline: 5000, oldest: 30_000, workspace: {}, newToken, ...more })
}

/** Asks, and gives the token of the cycle. */
const asked = (of: RobotDialogue, now = 0, robot = 1, pose?: Pose) =>
  present(of.request(robot, { command: 'PICK', ...(pose && { pose }) }, now).cycle).token

/** Only what is done has a pose. */
function replyOf(answered: ReturnType<RobotDialogue['answered']>): Reply {
  const reply = present('reply' in answered ? answered.reply : undefined)
  should(reply.candidate === undefined).equal(reply.count === 0)
  if (reply.code !== codes.DONE) reply.count.should.equal(0)
  return reply
}

const next = (of: RobotDialogue, now: number, pose?: Pose) =>
  present(of.request(1, { command: 'NEXT', ...(pose && { pose }) }, now).reply)

describe('what robots are told', () => {
  it('is the best pose, with how many are left, and each next one on request', () => {
    const robots = dialogue()
    const reply = replyOf(robots.answered(asked(robots), { code: 0, poses: three }, 40))
    reply.should.match({ robot: 1, command: 'PICK', code: 0, count: 3, milliseconds: 40 })
    should(reply.candidate).equal(three[0])
    next(robots, 50).should.match({ code: 0, count: 2, candidate: three[1] })
    next(robots, 60).should.match({ code: 0, count: 1, candidate: three[2] })
    next(robots, 70).should.match({ code: codes.NO_MORE, count: 0 })
    should(next(robots, 80).candidate).be.undefined()
  })

  it('is a code where nothing was found, and where the flow failed', () => {
    const robots = dialogue()
    replyOf(robots.answered(asked(robots), { code: 0, poses: [] }, 1)).code.should.equal(codes.NO_POSE)
    const failed = replyOf(robots.answered(asked(robots), { code: -4, poses: three }, 1))
    failed.code.should.equal(-4)
    should(failed.candidate).be.undefined()
    replyOf(robots.answered(asked(robots), { code: 0 }, 1)).should.match({ code: 0, count: 0 })
    next(robots, 2).code.should.equal(codes.NO_MORE)
  })

  it('is never a result whose picture is too old, not even the rest of one', () => {
    const robots = dialogue()
    replyOf(robots.answered(asked(robots), { code: 0, poses: three, age: 30_001 }, 10)).code.should.equal(
      codes.TOO_OLD,
    )
    replyOf(robots.answered(asked(robots, 0), { code: 0, poses: three, age: 29_000 }, 10)).code.should.equal(
      0,
    )
    next(robots, 1010).code.should.equal(0)
    next(robots, 1011).code.should.equal(codes.TOO_OLD)
    next(robots, 1011).code.should.equal(codes.NO_MORE)
  })

  it('is never a result of another pose of the robot', () => {
    const robots = dialogue()
    const [here, there] = [at(445, 0, 500), at(447, 0, 500)]
    const turned = poseOfNumbers('kuka', [445, 0, 500, 0.6, 0, 0])
    for (const takenAt of [there, turned])
      replyOf(robots.answered(asked(robots, 0, 1, here), { code: 0, poses: three, takenAt }, 1)).should.match(
        {
          code: codes.OTHER_POSE,
        },
      )
    const result = { code: 0, poses: three, takenAt: at(445.5, 0, 500) }
    replyOf(robots.answered(asked(robots, 0, 1, here), result, 1)).code.should.equal(0)
    next(robots, 2, at(445.5, 0, 500)).code.should.equal(0)
    next(robots, 3, there).code.should.equal(codes.OTHER_POSE)
    next(robots, 4, here).code.should.equal(codes.NO_MORE)
  })

  it('comes once: later, second and foreign answers are dropped', () => {
    const robots = dialogue()
    const token = asked(robots)
    replyOf(robots.answered(token, { code: 0, poses: three }, 1)).code.should.equal(0)
    robots.answered(token, { code: 0, poses: three }, 2).should.eql({ dropped: 'second' })
    robots.answered('made up', { code: 0, poses: three }, 3).should.eql({ dropped: 'foreign' })
    const late = asked(robots, 1000)
    robots.expired(5999).should.eql([])
    robots
      .expired(6000)
      .should.match([
        { token: late, reply: { robot: 1, code: codes.NO_ANSWER, count: 0, milliseconds: 5000 } },
      ])
    robots.answered(late, { code: 0, poses: three }, 6001).should.eql({ dropped: 'late' })
    next(robots, 6002).code.should.equal(codes.NO_MORE)
  })

  it('answers the last request of a robot that asks again, and none before', () => {
    const robots = dialogue()
    const first = asked(robots)
    const { cycle, replaced } = robots.request(1, { command: 'PICK' }, 100)
    should(replaced?.token).equal(first)
    robots.answered(first, { code: 0, poses: three }, 101).should.eql({ dropped: 'late' })
    replyOf(robots.answered(cycle?.token ?? '', { code: 0, poses: three }, 102)).code.should.equal(0)
  })

  it('ends with a robot that goes, and what is left of its result too', () => {
    const robots = dialogue()
    const token = asked(robots)
    should(robots.gone(1)?.token).equal(token)
    robots.answered(token, { code: 0, poses: three }, 1).should.eql({ dropped: 'late' })
    replyOf(robots.answered(asked(robots), { code: 0, poses: three }, 2)).code.should.equal(0)
    should(robots.gone(1)).be.undefined()
    next(robots, 3).code.should.equal(codes.NO_MORE)
  })

  it('is for the robot that asked, in any order', () => {
    const robots = dialogue()
    const tokens = [1, 2, 3].map((robot) => asked(robots, robot, robot))
    should(robots.expiry).equal(5001)
    for (const robot of [3, 1, 2]) {
      const reply = replyOf(robots.answered(tokens[robot - 1] ?? '', { code: robot }, 10))
      reply.should.match({ robot, code: robot, milliseconds: 10 - robot })
    }
    should(robots.expiry).be.undefined()
  })

  it('leaves out poses that are outside the workspace', () => {
    const box = [
      [0, 0.415],
      [-0.5, 0.5],
      [0, 0.6],
    ] as const
    const robots = dialogue({ workspace: { box } })
    const reply = replyOf(robots.answered(asked(robots), { code: 0, poses: three.toReversed() }, 1))
    reply.should.match({ code: 0, count: 2, leftOut: 1, candidate: three[1] })
    const none = replyOf(robots.answered(asked(robots), { code: 0, poses: [{ pose: at(500, 0, 300) }] }, 1))
    none.should.match({ code: codes.OUTSIDE, count: 0, leftOut: 1 })
  })
})

describe('the plausibility of a pose', () => {
  const box = [
    [-0.2, 0.8],
    [-0.5, 0.5],
    [0, 0.6],
  ] as const
  /** The tool points down. */
  const down = (x: number, y: number, z: number) => poseOfNumbers('kuka', [x, y, z, 0, 0, 180])

  it('asks for the pose, the way to it and the way back to be within the workspace', () => {
    const workspace = { box, approach: 0.1, retreat: 0.2 }
    should(implausibility(down(400, 0, 300), workspace)).be.undefined()
    should(implausibility(down(900, 0, 300), workspace)).equal('pose')
    should(implausibility(down(400, 0, 550), workspace)).equal('approach')
    should(implausibility(down(400, 0, 450), workspace)).equal('retreat')
    // From the side: it comes from behind its own z axis.
    should(implausibility(poseOfNumbers('kuka', [-150, 0, 300, 0, 90, 0]), workspace)).equal('approach')
  })

  it('never lets pass what no robot reaches, nor what is no number', () => {
    should(implausibility(down(400, 0, 300), {})).be.undefined()
    should(implausibility(down(21_000, 0, 0), {})).equal('pose')
    should(implausibility(down(Number.NaN, 0, 0), {})).equal('pose')
    should(implausibility(down(Number.NaN, 0, 0), { box })).equal('pose')
  })
})

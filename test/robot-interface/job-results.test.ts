import should from 'should'
import { interfaceCodes, JobResults, type PrimaryPose } from '../../lib/robot-interface'

const at = (x: number, related: number[] = []): PrimaryPose => ({
  ...{ pose: { position: { x, y: 0, z: 0 }, orientation: { w: 1, x: 0, y: 0, z: 0 } } },
  related: related.map((each) => at(each)),
})
const x = ({ pose }: ReturnType<JobResults['next']>) => pose?.position.x
const { NO_POSES_FOUND, NO_RELATED_POSES, NO_RETURN_SPECIFIED, JOB_STILL_RUNNING } = interfaceCodes

describe('the results of a robot job', () => {
  let job: JobResults
  const done = (poses: PrimaryPose[], moduleCode = 0) => {
    job.trigger().should.equal(true)
    job.finish({ moduleCode, poses })
  }
  beforeEach(() => {
    job = new JobResults()
  })

  it('are none before the first trigger', () => {
    job.state.should.equal('INACTIVE')
    should(job.next()).eql({ code: NO_POSES_FOUND })
    should(job.related()).eql({ code: NO_RELATED_POSES })
  })

  it('are not there while it runs, and a second trigger changes nothing', () => {
    job.trigger().should.equal(true)
    job.trigger().should.equal(false)
    job.state.should.equal('RUNNING')
    should(job.next()).eql({ code: JOB_STILL_RUNNING })
    should(job.related()).eql({ code: JOB_STILL_RUNNING })
    job.finish({ moduleCode: 0, poses: [at(1)] })
    should(x(job.next())).equal(1)
  })

  it('are handed out in order, each with its own related poses and with what is left', () => {
    done([at(1, [11, 12]), at(2, [21]), at(3)], 5)
    should(job.next()).containEql({ moduleCode: 5, data2: 2, data3: 2 })
    should(job.related()).containEql({ data2: 2, data3: 1 })
    should(x(job.related())).equal(12)
    should(job.related()).eql({ code: NO_RELATED_POSES, moduleCode: 5, data2: 2 })
    should(x(job.next())).equal(2)
    should(job.next()).containEql({ data2: 0, data3: 0 })
    should(job.related()).containEql({ code: NO_RELATED_POSES })
  })

  it('replace the related poses with the next primary one, and keep the last ones', () => {
    done([at(1, [11]), at(2, [21])])
    job.next()
    job.next()
    job.state.should.equal('DONE')
    should(x(job.related())).equal(21)
  })

  it('end with a remark, after which the job is inactive', () => {
    done([at(1, [11])])
    job.next()
    job.state.should.equal('DONE')
    should(job.next()).eql({ code: NO_POSES_FOUND, moduleCode: 0 })
    job.state.should.equal('INACTIVE')
    should(job.related()).containEql({ code: NO_RELATED_POSES })
    should(job.next()).containEql({ code: NO_POSES_FOUND })
    job.trigger().should.equal(true)
  })

  it('may be empty', () => {
    done([], 101)
    job.state.should.equal('DONE')
    should(job.next()).eql({ code: NO_POSES_FOUND, moduleCode: 101 })
  })

  it('of a job that failed are its cause, until the next trigger', () => {
    job.trigger()
    job.finish({ moduleCode: -4, failure: interfaceCodes.API_RESPONSE_ERROR })
    job.state.should.equal('FAILED')
    for (const answer of [job.next(), job.next(), job.related()])
      should(answer).eql({ code: interfaceCodes.API_RESPONSE_ERROR, moduleCode: -4 })
    job.state.should.equal('FAILED')
    job.trigger().should.equal(true)
    job.state.should.equal('RUNNING')
  })

  it('of a job without poses are a remark, and it stays done', () => {
    job.trigger()
    job.finish({ moduleCode: 0, noReturn: true })
    should(job.next()).eql({ code: NO_RETURN_SPECIFIED, moduleCode: 0 })
    should(job.related()).eql({ code: NO_RETURN_SPECIFIED, moduleCode: 0 })
    job.state.should.equal('DONE')
  })

  it('are discarded by the next trigger and by a reset', () => {
    done([at(1), at(2, [21])])
    job.next()
    done([at(3)])
    should(x(job.next())).equal(3)
    job.reset()
    job.state.should.equal('INACTIVE')
    should(job.next()).eql({ code: NO_POSES_FOUND })
  })
})

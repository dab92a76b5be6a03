import 'should'
import { useExample } from '../support/example'

describe('the example robot-interface', () => {
  const example = useExample('robot-interface', [8163, 7151])

  it('hands a robot the grasps of its job, one after the other until none is left', async () => {
    const { answers } = example()
    await answers('gri-calibrate', /calibrated\][^]*success: true/)
    await answers('gri-store', /started\][^]*current_state: 'RUNNING'/)
    await answers('gri-ready', /robot\][^]*action: 1,\s+code: 0,[^]*left: 1,/)
    await answers('gri-pick', /action: 2,\s+code: 0,[^]*action: 5,\s+code: 0,[^]*left: 0,/)
  })

  it('tells the robot why there is no pose', async () => {
    const { answers, port } = example()
    await fetch(`http://127.0.0.1:${port(8163)}/virtual/scenario`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: '{"scene":{"detection":{"items":0}}}',
    })
    await answers('gri-pick', /action: 2,\s+code: 1,[^]*left: 0,/)
  })
})

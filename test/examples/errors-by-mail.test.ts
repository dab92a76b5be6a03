import 'should'
import { useExample } from '../support/example'

describe('the example errors-by-mail', () => {
  const example = useExample('errors-by-mail', [8088], (nodes) =>
    nodes.map((node) => (node.type === 'vision-log-watch' ? { ...node, rate: 5, seconds: 1, shortest: 0.5, longest: 0.5 } : node)),
  )

  it('writes a text with only the errors, and how many were left out', async () => {
    const { answers, press, prints, output } = example()
    await answers('errors-some', /topic: 'Vision device, cell 1: camera\.log'/)
    await prints(/Z {2}ERROR {2}dev_camera: image incomplete, frame dropped {2}\(camera\.log\)/)
    await press('errors-many')
    await prints(/\d+ more entries were held back: \d+ ERROR\./)
    await press('errors-quiet')
    output().should.not.match(/few matches|exposure adapted/)
  })
})

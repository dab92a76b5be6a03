import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import 'should'
import { eventually } from '../support/eventually'
import { useExample } from '../support/example'

describe('the example nightly-backup', () => {
  const example = useExample('nightly-backup', [8126])
  const ask = async (path: string) => {
    const answer = await fetch(`http://127.0.0.1:${example().port(8126)}/api/v2/${path}`)
    return (await answer.json()) as { value?: number }
  }

  it('saves each night, and reports what has changed since the last backup', async () => {
    const { press, follows, output, red } = example()
    // Pressing too early would save once more.
    await eventually(() => ask('system'))

    await follows('night-now', /saved\].*vision-backups\/\d{4}-\d\d-\d\d_/)
    output().should.match(/mail\] Nightly backup:.*latest\.json/)
    const files = readdirSync(join(red.userDir, 'vision-backups'))
    files.should.containEql('latest.json')
    files.should.have.length(2)

    await follows('night-now', /saved\]/)
    output().should.not.match(/have changed/)

    await press('night-knob')
    await eventually(async () =>
      (await ask('pipelines/0/nodes/dev_camera/parameters/fps')).should.have.property('value', 10),
    )
    await follows('night-now', /have changed[^]*dev_camera\.parameters\.fps: 25 → 10/)
  })
})

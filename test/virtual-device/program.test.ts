import should from 'should'
import { readFile, stat, writeFile } from 'node:fs/promises'
import { ArtifactCheck } from '../../virtual-device/firmware/artifact'
import { usePrograms } from './support/program'
import { useFolder } from './support/temporary-folder'
import { send } from './support/use-device'

describe('the program virtual-vision-device', () => {
  const programs = usePrograms()
  const folder = useFolder()

  it('prints one line with its address when it is ready', async () => {
    const { url, line, kill } = await programs.start(
      ...['--variant', 'multi', '--node-prefix', 'xy_', '--seed', '7'],
      ...['--model', 'cam3d', '--serial', '042', '--image-version', 'xyz-v3.2.1-beta'],
    )
    line.should.match(/^virtual-vision-device ready at http:\/\/127\.0\.0\.1:\d+\/api\/v2 .*multi.*\n$/)
    ;(await send('GET', `${url}/api/v2/pipelines/1/nodes/xy_camera`)).status.should.equal(200)
    const { text } = await send('GET', `${url}/api/v2/system`)
    text.should.containEql('"hostname":"cam3d-042"').and.containEql('"image_version":"xyz-v3.2.1-beta"')
    await kill('SIGKILL')
  })

  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    it(`ends cleanly on ${signal}, with connections open`, async () => {
      const { url, kill } = await programs.start()
      await send('GET', `${url}/api/v2/nodes`)
      should(await kill(signal)).containEql({ code: 0, err: '' })
    })

  it('accepts a scenario as JSON or as a file', async () => {
    await writeFile(folder.path('scenario.json'), '{"rate_limit":5}')
    for (const given of ['{"rate_limit":5}', folder.path('scenario.json')]) {
      const { url, kill } = await programs.start('--scenario', given)
      should((await send('GET', `${url}/virtual/scenario`)).body).containEql({ rate_limit: 5 })
      await kill('SIGKILL')
    }
  })

  it('listens on an IPv6 address too', async () => {
    const { line, kill } = await programs.start('--host', '::1')
    line.should.containEql('http://[::1]:')
    await kill('SIGKILL')
  })

  it('shows the port of the robot interface, which the multi variant has unless it is off', async () => {
    const open = await programs.start('--variant', 'multi')
    open.line.should.match(/variant multi.*, robot interface on port \d+, page at http:.*\)\n$/)
    const { body } = await send('GET', `${open.url}/virtual/ports`)
    open.line.should.containEql(` ${(body as { robot: { port: number } }).robot.port},`)
    const off = await programs.start('--variant', 'multi', '--robot-port', 'off')
    off.line.should.not.containEql('robot')
    await Promise.all([open.kill('SIGKILL'), off.kill('SIGKILL')])
  })

  const wrong: Record<string, [string[], RegExp]> = {
    'an unknown option': [['--nothing'], /--nothing/],
    'an argument': [['start'], /start/],
    'an option without its value': [['--port'], /--port/],
    'a port that is none': [['--port', '70000'], /port .* 65535/],
    'a port that is no number': [['--port', '80a'], /port/],
    'a seed that is none': [['--seed', '1.5'], /seed/],
    'another variant': [['--variant', 'triple'], /single or multi/],
    'a prefix that is none': [['--node-prefix', 'a/b'], /prefix/],
    'an image version that is none': [['--image-version', 'newest'], /v1\.2\.3/],
    'a robot port that is none': [['--robot-port', 'on'], /robot interface .* off/],
    'a model that is none': [['--model', '-'], /model/],
    'a scenario that is not JSON': [['--scenario', '{'], /scenario/],
    'a scenario with an unknown key': [['--scenario', '{"nothing":1}'], /nothing/],
    'a scenario file that is missing': [['--scenario', 'no/such/file'], /no\/such\/file/],
    'an address of another machine': [['--host', '192.0.2.1', '--port', '0'], /192\.0\.2\.1/],
    'a state folder that cannot be made': [['--state', `${__filename}/state`], /cannot be written/],
    'an artifact without its version': [['artifact', '--out', 'x'], /--version/],
    'an artifact without a file': [['artifact', '--version', 'v1.2.3'], /--out/],
    'an artifact without a size': [
      ['artifact', '--version', 'v1.2.3', '--out', 'x', '--size', 'big'],
      /size/,
    ],
  }
  for (const [what, [args, sentence]] of Object.entries(wrong))
    it(`ends with code 2 and one sentence on ${what}`, async () => {
      const { code, out, err } = await programs.run(...args)
      should({ code, out }).eql({ code: 2, out: '' })
      err.should.match(sentence)
      err.should.match(/^[^\n]{10,300}\n$/)
    })

  it('ends with code 2 if its port is in use', async () => {
    const { url, kill } = await programs.start()
    const { port } = new URL(url)
    const { code, err } = await programs.run('--port', port)
    should(code).equal(2)
    err.should.match(new RegExp(`^Port ${port} .* in use.*\n$`))
    await kill('SIGKILL')
  })

  it('shows help and version', async () => {
    const { code, out } = await programs.run('--help')
    should(code).equal(0)
    const options = ['port', 'host', 'variant', 'node-prefix', 'state', 'seed', 'serial', 'scenario']
    for (const option of [...options, 'model', 'image-version', 'robot-port'])
      out.should.containEql(`--${option} `)
    should((await programs.run('--version')).out).match(/^\d+\.\d+\.\d+\n$/)
  })

  it('writes a firmware artifact', async () => {
    const file = folder.path('firmware')
    const { code, out } = await programs.run(
      'artifact',
      '--version',
      'v3.2.1',
      '--size',
      '2KiB',
      '--out',
      file,
    )
    should(code).equal(0)
    out.should.match(/v3\.2\.1/)
    ;(await stat(file)).size.should.be.above(2048)
    const check = new ArtifactCheck()
    check.add(await readFile(file))
    check.finish().should.containEql({ version: 'v3.2.1', size: 2048 })
  })
})

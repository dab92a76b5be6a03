import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import should from 'should'
import '../support/mosquitto'
import '../support/prometheus'
import { root } from '../support/root'

/** Runs `npm run demo:fleet` to its end. @returns exit code and everything printed */
async function demo(args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const child = spawn(process.execPath, [join(root, 'scripts', 'demo-fleet.mjs'), ...args], {
    env: {
      ...process.env,
      NODE_OPTIONS: ['loopback-only.js', 'free-ports-only.js']
        .map((file) => `--require ${join(root, 'dist', 'test', 'support', file)}`)
        .join(' '),
      ...env,
    },
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
  await once(child, 'close')
  return { code: child.exitCode, output }
}

describe('npm run demo:fleet', function () {
  this.timeout(300_000)

  it('rolls out parameters and firmware; a cell killed and unplugged goes on, and the report is true', async () => {
    const { code, output } = await demo(['--end'])
    should(code).equal(0, output)
    const order = [
      'the centre knows four devices',
      'set-parameters has ended: 4 done, 0 failed, 0 unknown, 0 not reached, 0 skipped',
      'cell-2 was killed in the middle of its updates, and unplugged',
      'the centre shows cell-2 as gone',
      'cell-2 runs again, still unplugged',
      'cell-2 has updated both devices; the centre cannot know it yet: running, ',
      'cell-2 is plugged in again',
      'update-firmware has ended: 4 done, 0 failed, 0 unknown, 0 not reached, 0 skipped',
      'everything has ended as the guide says',
    ].map((text) => output.indexOf(text))
    should(order).deepEqual(
      [...order].sort((one, other) => one - other),
      output,
    )
    should(order).not.containEql(-1)
    // As the devices themselves say: none was updated twice, and none is left between.
    should(output.match(/north\/cell-[12]\/(left|right) runs v2\.0\.0 after 1 restart\n/g)).have.length(
      4,
      output,
    )
  })

  it('says with one command what to install if Mosquitto or Prometheus is missing', async () => {
    // A path in which neither is; Debian's other folder has both where they are installed.
    const { code, output } = await demo([], { PATH: '/nowhere' })
    should(code).equal(2)
    const missing = ['mosquitto', 'prometheus'].filter((name) => !existsSync(join('/usr/sbin', name)))
    output.should.containEql(`apt-get install ${missing.join(' ')}`)
  })

  it('explains what took too long, and how to give it more time, instead of a stack', async () => {
    const { code, output } = await demo(['--end'], { CELLSIGHT_DEMO_PATIENCE: '0.000001' })
    should(code).equal(1)
    output.should.match(/gave up: starting Mosquitto took longer than 0 s\./)
    output.should.match(/Nothing is left running\..*CELLSIGHT_DEMO_PATIENCE=\d+ npm run demo:fleet/)
    output.should.not.match(/^ +at /m)
  })

  it('knows no other option', async () => {
    const { code, output } = await demo(['--slow'])
    should(code).equal(2)
    output.should.match(/--slow.*--end/)
  })
})

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Node, NodeAPI } from 'node-red'
import should from 'should'
import { errorCodes } from '../../lib/contract'
import { StatusLine } from '../../nodes/shared/status-line'
import { furtherWords, linkStates } from '../../nodes/shared/status-word'
import { useBench } from '../support/bench'

const textsIn = (language: string) => {
  const folder = join(__dirname, '..', '..', 'nodes', 'device-config', 'locales', language)
  const texts = JSON.parse(readFileSync(join(folder, 'device-config.json'), 'utf8')) as {
    'device-config': { status: Record<string, string> }
  }
  return texts['device-config'].status
}

for (const language of ['en-US', 'de'])
  describe(`the words of a status in ${language}`, () => {
    const words = [...linkStates, ...furtherWords, ...Object.keys(errorCodes)]
    const texts = textsIn(language)

    it('are all in the locale, and no others', () =>
      Object.keys(texts)
        .sort()
        .should.eql([...words].sort()))

    for (const word of words) {
      it(`are short: ${word}`, () =>
        (texts[word] ?? '').replace('__count__', '10000').length.should.be.below(20))
    }
  })

/** A status line with what it shows. */
const setup = () => {
  const shown: string[] = []
  let until: { text: string; resolve: () => void } | undefined
  const RED = {
    _: (key: string, { count }: { count: string }) => `${key.split('.').at(-1) ?? ''} ${count}`,
  }
  const node = {
    status: ({ text }: { text: string }) => {
      shown.push(text)
      if (text === until?.text) until.resolve()
    },
  }
  return {
    shown,
    line: new StatusLine(RED as unknown as NodeAPI, node as unknown as Node),
    shows: (text: string) => new Promise<void>((resolve) => (until = { text, resolve })),
  }
}

describe('the status line of a node', () => {
  it('shows the first state at once and the last of a burst soon', async () => {
    const { shown, line, shows } = setup()
    line.link('ready')
    shown.should.eql(['ready 0'])
    for (let waiting = 1; waiting <= 1000; waiting++) line.work(1, waiting)
    const last = shows('waiting 1000')
    shown.length.should.equal(1)
    await last
    shown.should.eql(['ready 0', 'waiting 1000'])
    line.close()
  })

  it('keeps a failure until the next success or the next state of the link', async () => {
    const { shown, line, shows } = setup()
    line.link('ready')
    line.work(1, 0)
    line.failed('TIMEOUT')
    line.work(0, 0)
    await shows('TIMEOUT 0')
    line.succeeded()
    line.work(0, 0)
    await shows('ready 0')
    line.failed('REFUSED')
    await shows('REFUSED 0')
    line.link('starting')
    await shows('starting 0')
    shown.should.eql(['ready 0', 'TIMEOUT 0', 'ready 0', 'REFUSED 0', 'starting 0'])
    line.close()
  })
})

describe('the status line of a procedure', () => {
  it('shows between messages how far it is, while the device is ready', async () => {
    const { shown, line, shows } = setup()
    line.link('ready')
    line.rest('poses', 3)
    await shows('poses 3')
    line.link('unreachable')
    await shows('unreachable 0')
    line.link('ready')
    await shows('poses 3')
    line.rest()
    await shows('ready 0')
    shown.should.eql(['ready 0', 'poses 3', 'unreachable 0', 'poses 3', 'ready 0'])
    line.close()
  })
})

describe('the status of a node on a device', () => {
  const bench = useBench({ type: 'vision-get-parameter', node: 'dev_camera', parameter: 'fps' })

  it('is green only while the device answers', async () => {
    await bench.status('ready')
    should(bench.statuses.at(-1)).match({ fill: 'green', shape: 'dot' })

    bench.device.setScenario({ offline: true })
    await bench.status('unreachable')
    const since = bench.statuses.length
    await bench.send().should.be.rejectedWith({ code: 'UNREACHABLE' })
    await bench.status('UNREACHABLE')
    bench.statuses
      .slice(since)
      .every(({ fill }) => fill !== 'green')
      .should.be.true()

    bench.device.setScenario({ offline: false })
    await bench.status('ready')
    should(bench.statuses.at(-1)).match({ fill: 'green' })
  })
})

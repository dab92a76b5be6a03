import should from 'should'
import { WebSocket } from 'undici'
import { eventually } from '../support/eventually'
import { useExample } from '../support/example'
import { readPng } from '../images/support/read-png'

interface LivePictures {
  left: string
  depth: string
  time: number
}

describe('the example live-picture', () => {
  const example = useExample('live-picture', [8151, 8152])
  const address = (path: string) => new URL(`/vision-live${path}`, example().red.url).href

  it('sends both pictures to every open page, again and again', async () => {
    const socket = new WebSocket(address('/data').replace(/^http/, 'ws'))
    try {
      const seen: LivePictures[] = []
      socket.onmessage = ({ data }) => seen.push(JSON.parse(String(data)) as LivePictures)
      await eventually(() => seen.length.should.be.above(2))
      const [first, second] = seen
      const png = (url = '') => readPng(Buffer.from(url.replace('data:image/png;base64,', ''), 'base64'))
      png(first?.left).channels.should.equal(1)
      png(first?.depth).channels.should.equal(3)
      should(second?.time).be.above(first?.time ?? Infinity)
    } finally {
      socket.close()
    }
  })

  it('serves the page', async () => {
    const page = await fetch(address(''))
    page.status.should.equal(200)
    ;(await page.text()).should.match(/<img id="left"/)
  })

  it('stops and starts with its buttons', async () => {
    await example().follows('live-stop', /'stopped'|"stopped"|stopped/)
    await example().follows('live-start', /'started'|"started"|started/)
  })
})

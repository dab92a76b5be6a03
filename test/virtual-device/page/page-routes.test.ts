import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import should from 'should'
import { Device } from '../../../virtual-device/device/device'
import { resolvedOptions } from '../../../virtual-device/options'
import { pageLanguage, pageUrl } from '../../../virtual-device/page/page-html'
import { depthSteps } from '../../../virtual-device/images/render/exposed'
import { server } from '../../../virtual-device/server/server'
import { root } from '../../support/root'
import { raw } from '../support/raw-http'
import { useDevice } from '../support/use-device'

const paths = [
  '/virtual',
  '/virtual/',
  '/virtual/page.css',
  '/virtual/page.js',
  '/virtual/now',
  '/virtual/picture',
]

describe('the routes of the page of the virtual device', () => {
  const api = useDevice()
  const get = (path: string, headers?: Record<string, string>) => raw(api.device.url, `GET ${path}`, headers)

  it('answer under every name of this machine, with a policy that lets nothing in from elsewhere', async () => {
    for (const path of paths.slice(1))
      for (const host of [
        `127.0.0.1:${api.device.port}`,
        `localhost:${api.device.port}`,
        'localhost',
        '[::1]',
      ]) {
        const { status, headers } = await get(path, { Host: host })
        status.should.equal(200, `${path} ${host}`)
        should(headers['content-security-policy']).match(/^default-src 'none'; script-src 'self';/)
        should(headers['content-security-policy']).not.match(/unsafe|\*|https?:/)
        headers.should.containEql({
          'cache-control': 'no-store',
          'cross-origin-resource-policy': 'same-origin',
          'x-content-type-options': 'nosniff',
        })
        headers.should.not.have.property('access-control-allow-origin')
      }
    ;(await get('/virtual')).headers.should.containEql({ location: '/virtual/' })
  })

  it('refuse foreign host names, pages of other origins, and what other sites embed', async () => {
    const port = api.device.port
    const foreign: Record<string, string>[] = [
      { Host: 'evil.example' },
      { Host: `evil.example:${port}` },
      { Host: '127.0.0.1.evil.example' },
      { Host: 'localhost.evil.example' },
      { Host: '127.0.0.1@evil.example' },
      { Host: '' },
      { Origin: 'http://evil.example' },
      { Origin: 'null' },
      { Origin: `https://127.0.0.1:${port}` },
      { Origin: `http://127.0.0.1:${port + 1}` },
      { Origin: `http://localhost:${port}` },
      { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'no-cors' },
      { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'cors' },
    ]
    for (const headers of foreign)
      for (const path of [
        ...paths,
        '/virtual/scenario',
        '/virtual/cell',
        '/virtual/view.svg',
        '/virtual/ports',
      ])
        (await get(path, headers)).status.should.equal(403, `${path} ${JSON.stringify(headers)}`)
    // A link on another page leads here.
    const link = { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'navigate' }
    ;(await get('/virtual/', link)).status.should.equal(200)
  })

  it('let no other origin write the scenario, and let the page itself', async () => {
    const body = '{"grid_visible":false}'
    const put = (origin: string) =>
      raw(
        api.device.url,
        'PUT /virtual/scenario',
        { Origin: origin, 'Content-Type': 'application/json', 'Content-Length': String(body.length) },
        body,
      )
    for (const origin of [
      'http://evil.example',
      'null',
      `http://127.0.0.1:${api.device.port}.evil.example`,
      '',
    ])
      (await put(origin)).status.should.equal(403, origin)
    api.device.scenario().grid_visible.should.be.true()
    ;(await put(api.device.url)).status.should.equal(200)
    api.device.scenario().grid_visible.should.be.false()
  })

  it('answer strange queries with what they do not know', async () => {
    const wrong: [string, number][] = [
      ['/virtual/now?pipeline=7', 404],
      ['/virtual/now?pipeline=__proto__', 404],
      ['/virtual/now?pipeline=0&pipeline=0', 404],
      [`/virtual/now?pipeline=${'a'.repeat(8000)}`, 404],
      ['/virtual/picture?pipeline=constructor', 404],
      ['/virtual/picture?part=right', 400],
      ['/virtual/picture?part=toString', 400],
      ['/virtual/picture?part=left&part=left', 400],
      ['/virtual/page%2e%2e%2fpage.js', 404],
      ['/virtual/..%2fserver%2fserver.js', 404],
      ['/virtual/locales/de/sentences.json', 404],
    ]
    for (const [path, status] of wrong) {
      const answer = await get(path)
      answer.status.should.equal(status, path)
      answer.text.length.should.be.below(1000)
    }
    for (const language of ['', ',;q=,', 'x'.repeat(9000), '*', 'constructor', '../../../etc', 'de;q=abc'])
      (await get('/virtual/', { 'Accept-Language': language })).text.should.containEql('<html lang="en-US">')
  })

  it('draw a picture once for all who ask at the same time, and answer while it is drawn', async () => {
    const asked = await Promise.all(
      Array.from({ length: 30 }, (_, index) =>
        get(`/virtual/picture?part=${['left', 'depth', 'confidence'][index % 3] ?? ''}`),
      ),
    )
    for (const { status } of asked) status.should.equal(200)
    new Set(asked.map(({ text }) => text)).size.should.equal(3)
  })

  it('say that there is no picture while the device starts', async () => {
    api.device.setScenario({ boot_seconds: 3600 })
    ;(await api.put('/system/reboot')).status.should.equal(200)
    ;(await get('/virtual/picture')).status.should.equal(503)
    const now = (await get('/virtual/now')).json as { ready: boolean; side: string; state: string }
    now.should.containEql({ ready: false, side: '', state: 'Device is restarting.' })
  })

  it('have no text that is not escaped', async () => {
    const { text } = await get('/virtual/')
    text.should.not.match(/\{\{|\son\w+=|<style|javascript:/)
    text.match(/<script/g)?.should.have.length(1)
    text.should.containEql('<script src="page.js"></script>')
  })
})

describe('the page of a virtual device on the network', () => {
  const api = useDevice({ host: '0.0.0.0' })

  it('is reached by this machine', async () => {
    const { page, port } = api.device
    should(page).equal(`http://127.0.0.1:${port}/virtual/`)
    ;(await fetch(page ?? '')).status.should.equal(200)
  })

  it('is refused to every other, whatever host it names', async () => {
    const device = new Device(resolvedOptions({ host: '0.0.0.0' }))
    const app = server(device, () => Promise.resolve(undefined))
    for (const remoteAddress of ['192.168.0.9', '10.127.0.1', '::ffff:192.168.0.9', 'fe80::1'])
      for (const url of [...paths, '/virtual/scenario'])
        for (const host of ['127.0.0.1', 'localhost:8080', '192.168.0.7'])
          (await app.inject({ url, remoteAddress, headers: { host } })).statusCode.should.equal(403)
    const here = { url: '/virtual/', remoteAddress: '::ffff:127.0.0.1', headers: { host: 'localhost' } }
    ;(await app.inject(here)).statusCode.should.equal(200)
    device.stop()
    await app.close()
  })
})

describe('the address of the page', () => {
  it('is one that this machine reaches', () => {
    const urls: [string, string | undefined][] = [
      ['127.0.0.1', 'http://127.0.0.1:1/virtual/'],
      ['127.0.0.7', 'http://127.0.0.7:1/virtual/'],
      ['::1', 'http://[::1]:1/virtual/'],
      ['0.0.0.0', 'http://127.0.0.1:1/virtual/'],
      ['::', 'http://127.0.0.1:1/virtual/'],
      ['192.168.0.7', undefined],
    ]
    for (const [address, url] of urls) should(pageUrl(address, 1)).equal(url)
  })
})

describe('the language of the page', () => {
  const accepted: [string | undefined, string][] = [
    [undefined, 'en-US'],
    ['de', 'de'],
    ['de-AT,de;q=0.9,en;q=0.8', 'de'],
    ['fr,de;q=0.5,en;q=0.4', 'de'],
    ['en-GB,de;q=0.9', 'en-US'],
    ['de;q=0.1,en;q=0.7', 'en-US'],
    ['de;q=0,fr', 'en-US'],
  ]
  for (const [header, language] of accepted)
    it(`is ${language} for ${header ?? 'a browser without one'}`, () => {
      pageLanguage(header).should.equal(language)
    })
})

describe('the texts of the page', () => {
  const read = (language: string) =>
    JSON.parse(
      readFileSync(join(root, 'virtual-device', 'page', 'locales', language, 'sentences.json'), 'utf8'),
    ) as Record<string, string>
  const used = [
    ...readFileSync(join(root, 'virtual-device', 'page', 'index.html'), 'utf8').matchAll(
      /\{\{(\w+\.[\w.]+)\}\}/g,
    ),
  ].map(([, key]) => key ?? '')

  it('are there in each language, with the same values in them', () => {
    const english = read('en-US')
    used.length.should.be.above(10)
    for (const key of used) english.should.have.property(key)
    for (const language of readdirSync(join(root, 'virtual-device', 'page', 'locales'))) {
      const texts = read(language)
      Object.keys(texts).should.eql(Object.keys(english))
      for (const [key, text] of Object.entries(texts))
        should(text.match(/\{\{\w+\}\}/g)).eql(english[key]?.match(/\{\{\w+\}\}/g) ?? null)
    }
  })
})

describe('the colours of depth', () => {
  it('go from near to far, without the few that are wrong', () => {
    const values = Uint16Array.from({ length: 1000 }, (_, index) => (index === 0 ? 0 : 1000 + index))
    values[1] = 65_535
    const steps = depthSteps(new Uint8Array(values.buffer))
    should(steps[0]).equal(0)
    should(steps[1]).equal(1)
    should(steps[999]).be.below(10)
    should(steps[2]).equal(255)
    for (let index = 3; index < 1000; index++)
      should((steps[index] ?? 0) <= (steps[index - 1] ?? 0)).be.true()
    depthSteps(new Uint8Array()).length.should.equal(0)
    depthSteps(new Uint8Array(20)).should.eql(new Uint8Array(10))
  })
})

import should from 'should'
import { manualClock, startVirtualDevice, type VirtualDeviceOptions } from '../../virtual-device'
import { freePorts } from '../support/free-ports'
import { send, useDevice } from './support/use-device'

describe('system settings of the virtual device', () => {
  const clock = manualClock()
  const api = useDevice({ clock })
  const system = async () => (await api.get('/system')).body as Record<string, unknown>

  it('include the identity of the device, the same for the same seed', async () => {
    const { serial, hostname, mac, firmware, time, uptime, ready } = await system()
    should(serial).match(/^\d{10}$/)
    should(hostname).equal(`vision-single-${String(serial)}`)
    should(mac).match(/^02(:[0-9a-f]{2}){5}$/)
    should({ time, uptime, ready }).eql({ time: 1_700_000_000, uptime: 0, ready: true })
    should(firmware).containDeep({ active_image: { image_version: 'v1.1.0' } })
    const others = [1, 2].map(async (seed) => {
      const device = await startVirtualDevice({ port: 0, seed })
      const { body } = await send('GET', `${device.url}/api/v2/system`)
      await device.stop()
      return (body as { serial: string }).serial
    })
    const [same, other] = await Promise.all(others)
    should(same).equal(serial)
    should(other).not.equal(serial)
  })

  it('differ on another port, and are the same on the same one', async () => {
    const ports = await freePorts(2)
    const at = async (options: VirtualDeviceOptions) => {
      const device = await startVirtualDevice(options)
      const { body } = await send('GET', `${device.url}/api/v2/system`)
      await device.stop()
      const { serial, mac, hostname } = body as Record<'serial' | 'mac' | 'hostname', string>
      return { serial, mac, hostname }
    }
    const places = [
      ...ports.map((port) => ({ port })),
      ...ports.map((port) => ({ port, seed: 2 })),
      { port: ports[0] ?? 0, host: '127.0.0.2' },
      { port: 0 },
      { port: 0, serial: 'SN-0815' },
    ]
    const found = await Promise.all(places.slice(0, 2).map(at))
    for (const place of places.slice(2)) found.push(await at(place))
    for (const part of ['serial', 'mac', 'hostname'] as const)
      new Set(found.map((each) => each[part])).size.should.equal(places.length)
    should(found.at(-1)).match({ serial: 'SN-0815', hostname: 'vision-single-SN-0815' })
    should(await at({ port: ports[0] ?? 0 })).eql(found[0])
    should(await at({ port: ports[0] ?? 0, host: 'localhost' })).eql(found[0])
  })

  it('accept name servers, which must be addresses', async () => {
    const dns = { dns_servers: ['10.0.0.1', '192.168.0.1'], manual_dns_servers: ['10.0.0.1'] }
    should((await api.put('/system/dns', { json: { manual_dns_servers: ['10.0.0.1'] } })).body).eql({ dns })
    for (const json of [{}, { manual_dns_servers: '10.0.0.1' }, { manual_dns_servers: ['a'] }])
      (await api.put('/system/dns', { json })).status.should.equal(400)
    should((await api.get('/system/dns')).body).eql({ dns })
    should(await system()).containEql({ dns })
  })

  it('accept up to three time servers', async () => {
    const put = (servers: unknown) => api.put('/system/ntp', { json: { manual_ntp_servers: servers } })
    should((await put(['a.example', '10.0.0.1'])).body).containDeep({
      ntp: { manual_ntp_servers: ['a.example', '10.0.0.1'], synchronized: false },
    })
    for (const servers of [undefined, ['a', 'b', 'c', 'd'], [''], ['a b'], [1]])
      (await put(servers)).status.should.equal(400)
  })

  const settings = {
    dhcp_enabled: false,
    persistent_ip_enabled: true,
    persistent_ip_address: '10.1.2.3',
    persistent_subnet_mask: '255.255.252.0',
    persistent_default_gateway: '',
  }
  it('accept network settings, and show the result', async () => {
    should((await api.put('/system/network/settings', { json: settings })).body).eql(settings)
    should((await api.get('/system/network')).body).eql({
      current_method: 'PersistentIP',
      ip_address: '10.1.2.3',
      subnet_mask: '255.255.252.0',
      default_gateway: '',
      settings,
    })
  })

  for (const [what, change] of Object.entries({
    'without one of its fields': { dhcp_enabled: undefined },
    'with a wrong type': { dhcp_enabled: 1 },
    'with an address that is none': { persistent_ip_address: '10.1.2.300' },
    'with a mask that is none': { persistent_subnet_mask: '255.0.255.0' },
    'with a gateway that is none': { persistent_default_gateway: 'router' },
  }))
    it(`refuse network settings ${what}`, async () => {
      const { status } = await api.put('/system/network/settings', { json: { ...settings, ...change } })
      status.should.equal(400)
      should((await api.get('/system/network/settings')).body).containEql({ dhcp_enabled: true })
    })

  it('accept the time, which then advances', async () => {
    const put = (utc: string) => api.put(`/system/time?utc=${encodeURIComponent(utc)}`)
    should((await put('2030-01-02 03:04:05')).body).eql({ utc: '2030-01-02 03:04:05' })
    clock.advance(10)
    should((await api.get('/system/time')).body).eql({ utc: '2030-01-02 03:04:15' })
    should(await system()).containEql({ time: Date.UTC(2030, 0, 2, 3, 4, 15) / 1000 })
    for (const wrong of ['', 'now', '2030-02-30 00:00:00', '2030-01-01 24:00:00', '2030-01-01T00:00:00'])
      (await put(wrong)).status.should.equal(400)
    ;(await api.put('/system/time')).status.should.equal(400)
  })

  for (const source of ['ntp', 'ptp'] as const)
    it(`refuse the time while it comes from ${source}`, async () => {
      api.device.setScenario({ [`${source}_synchronized`]: true })
      ;(await api.put('/system/time?utc=2030-01-02%2003:04:05')).status.should.equal(403)
      const { ntp, ptp_status } = await system()
      should(ntp).containEql({ synchronized: source === 'ntp' })
      should(ptp_status).containEql({ state: source === 'ptp' ? 'SLAVE' : 'off' })
    })

  it('lock the user interface, and leave the API open', async () => {
    const lock = async (query: string) => (await api.post(`/system/ui_lock?${query}`)).body
    should(await lock('hash=a')).eql({ enabled: false, valid: false })
    should(await lock('hash=a&set=true')).eql({ enabled: true, valid: true })
    should(await lock('hash=a')).eql({ enabled: true, valid: true })
    should(await lock('hash=b&set=false')).eql({ enabled: true, valid: false })
    should((await api.get('/system/ui_lock')).body).eql({ enabled: true })
    should((await api.delete('/system/ui_lock')).body).eql({ enabled: false, valid: false })
    should((await api.get('/system/ui_lock')).body).eql({ enabled: false })
    ;(await api.post('/system/ui_lock')).status.should.equal(400)
    ;(await api.post('/system/ui_lock?hash=')).status.should.equal(400)
  })
})

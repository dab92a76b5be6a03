import { join } from 'node:path'
import should from 'should'
import type { FoundDevice } from '../../lib/discovery/search'
import { inOwnNetwork, twoComputers } from '../support/aravis'
import { root } from '../support/root'

const device = (host: string) =>
  `"$NODE" ${join(root, 'dist/virtual-device/program/cli.js')} --discovery --host ${host} --port 8080 --image-port off --robot-port off`

/** Waits until a virtual device, started in the background, answers. */
const ready = (coproc: string) => `read -r line <&"\${${coproc}[0]}"\n`

const search = (range?: string) => `"$NODE" -e '
  const { searchDevices } = require("${join(root, 'dist/lib/discovery/search')}")
  searchDevices({ signal: new AbortController().signal, range: ${JSON.stringify(range)} })
    .then((found) => console.log(JSON.stringify(found)))'
`

const found = async (script: string): Promise<FoundDevice[]> => {
  const lines = (await inOwnNetwork(script)).trim().split('\n')
  return JSON.parse(lines.at(-1) ?? '') as FoundDevice[]
}

describe('a search in a network', () => {
  it('finds a GigE Vision camera of another maker', async () => {
    const [camera] = await found(`
      ip link set lo up
      arv-fake-gv-camera-0.8 -i 127.0.0.1 -s GV77 >/dev/null & camera=$!
      until ss -Hlun 'sport = :3956' | grep -q 3956; do :; done
      ${search()}`)
    should(camera).containEql({ manufacturer: 'Aravis', serial: 'GV77', address: '127.0.0.1' })
  })

  it('of another program finds our virtual device', async () => {
    const list = await inOwnNetwork(`
      ip link set lo up
      coproc DEVICE { ${device('0.0.0.0')}; }
      ${ready('DEVICE')}
      arv-tool-0.8`)
    list.should.match(/Virtual-vision-single-\d{10} \(127\.0\.0\.1\)/)
  })

  it('finds a device by broadcast, and names one of another subnet', async () => {
    const all = await found(`
      ${twoComputers('10.1.0.1/24', '10.1.0.2/24')}
      coproc NEAR { far ${device('10.1.0.2')} --serial near; }
      ${ready('NEAR')}
      ${search()}`)
    all
      .map(({ serial, address, isOtherSubnet }) => ({ serial, address, isOtherSubnet }))
      .should.deepEqual([{ serial: 'near', address: '10.1.0.2', isOtherSubnet: false }])
    const others = await found(`
      ${twoComputers('10.1.0.1/24', '10.2.0.2/24')}
      coproc OTHER { far ${device('10.2.0.2')} --serial other; }
      ${ready('OTHER')}
      ${search()}`)
    others
      .map(({ serial, address, isOtherSubnet }) => ({ serial, address, isOtherSubnet }))
      .should.deepEqual([{ serial: 'other', address: '10.2.0.2', isOtherSubnet: true }])
  })

  it('finds a device behind a router by a range of addresses only', async () => {
    const network = `
      ${twoComputers('10.1.0.1/24', '10.1.0.254/24')}
      ip route add default via 10.1.0.254
      far sysctl -qw net.ipv4.ip_forward=1
      unshare -n sleep 60 & third=$!
      until [ "$(readlink /proc/$third/ns/net)" != "$(readlink /proc/self/ns/net)" ]; do :; done
      third() { nsenter -t $third -n "$@"; }
      far ip link add right type veth peer name third netns $third
      far ip address add 10.2.0.254/24 dev right; far ip link set right up
      third ip link set lo up; third ip address add 10.2.0.9/24 dev third; third ip link set third up
      third ip route add default via 10.2.0.254
      coproc REMOTE { third ${device('10.2.0.9')} --serial remote; }
      ${ready('REMOTE')}`
    ;(await found(network + search())).should.deepEqual([])
    const [remote, ...more] = await found(network + search('10.2.0.1-20'))
    should(remote).containEql({
      serial: 'remote',
      from: '10.2.0.9',
      isOtherSubnet: false,
      details: 'http=8080',
    })
    more.should.deepEqual([])
  })

  it('sends and receives packets without a fault, by the judgement of tshark', async () => {
    const report = await inOwnNetwork(`
      ${twoComputers('10.1.0.1/24', '10.1.0.2/24')}
      file=$(mktemp)
      tshark -q -i near -f 'udp port 3956' -w "$file" 2>"$file.log" & shark=$!
      until grep -q Capturing "$file.log"; do :; done
      coproc NEAR { far ${device('10.1.0.2')}; }
      ${ready('NEAR')}
      ${search('10.1.0.2')} >/dev/null
      kill -INT $shark; wait $shark || true
      tshark -r "$file" 2>/dev/null
      tshark -r "$file" -Y '_ws.malformed || _ws.expert' 2>/dev/null | sed 's/^/FAULT /'
      rm "$file" "$file.log"`)
    report.should.match(/GVCP.*DISCOVERY_CMD/)
    report.should.match(/GVCP.*DISCOVERY_ACK/)
    report.should.not.match(/FAULT/)
  })
}).timeout(120_000)

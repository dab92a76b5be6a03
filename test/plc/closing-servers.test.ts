import 'should'
import { connect } from 'node:net'
import { once } from 'node:events'
import { startS7Server } from '../../lib/plc/s7'
import { startSlmpServer } from '../../lib/plc/slmp'

const servers = {
  S7: (port: number) => startS7Server({ port, blocks: { 1: 10 } }),
  SLMP: (port: number) => startSlmpServer({ port }),
}

describe('a virtual CPU that is closed', () => {
  for (const [name, start] of Object.entries(servers))
    for (const away of [0, 60_000])
      it(`listens no more, and ends at once, in the middle of a restart of ${away} ms: ${name}`, async () => {
        const server = await start(0)
        const { port } = server
        const restarting = server.restart({ keepsMemory: true, away })
        // At each of the steps of the restart.
        for (let turns = 0; turns < 3; turns++) await new Promise(setImmediate)
        await Promise.all([server.close(), restarting])
        const socket = connect(port, '127.0.0.1')
        const [error] = (await once(socket, 'error')) as [NodeJS.ErrnoException]
        error.should.have.property('code', 'ECONNREFUSED')
      })
})

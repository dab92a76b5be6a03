// node bare-answers.js PORT ADDRESS: does what the cells do, without Node-RED: each chunk is a request, answered after a call.
import { createServer } from 'node:net'
import { Pool } from 'undici'

const [port = '', address = ''] = process.argv.slice(2)
const device = new Pool(address, { connections: 8 })
const path = '/api/v2/pipelines/0/nodes/dev_stereomatching/services/acquisition_trigger'
const headers = { 'content-type': 'application/json' }

createServer({ noDelay: true }, (robot) => {
  robot.on('data', () => {
    void device.request({ method: 'PUT', path, headers, body: '{}' }).then(async ({ body }) => {
      await body.text()
      robot.write('(0.4,0,0.3,3.1416,0,0)\n')
    })
  })
}).listen(Number(port), '127.0.0.1', () => process.send?.('listening'))
process.on('disconnect', () => process.exit())

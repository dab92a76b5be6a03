// node datagram-sender.js PORT RATE SECONDS DOUBLES: sends datagrams at a steady rate, prints how many.
import { createSocket } from 'node:dgram'
import { encodeMessage } from '../../lib/codec/streams'
import { dynamics } from './stream-bodies'

const [port = 0, rate = 0, seconds = 0, doubles = 0] = process.argv.slice(2).map(Number)
const covariance = doubles ? Array.from({ length: doubles }, (_, index) => index / 7) : undefined
const datagrams = Array.from({ length: 64 }, (_, index) =>
  encodeMessage('Dynamics', dynamics(index, covariance)),
)
/** Milliseconds of datagrams sent late after a pause of this process; a device does not send bursts. */
const madeUpFor = 3

const socket = createSocket('udp4')
socket.connect(port, '127.0.0.1', () => {
  const started = performance.now()
  let sent = 0
  let skipped = 0
  const tick = () => {
    const elapsed = Math.min(performance.now() - started, seconds * 1000)
    const due = Math.floor((elapsed * rate) / 1000) - sent - skipped
    const now = Math.min(due, Math.ceil((madeUpFor * rate) / 1000))
    skipped += due - now
    for (let count = 0; count < now; count++) socket.send(datagrams[sent++ % datagrams.length] as Buffer)
    if (elapsed < seconds * 1000) setTimeout(tick, 1)
    else socket.close(() => process.stdout.write(`${sent}\n`))
  }
  tick()
})

import { createServer } from 'node:net'
import { UsageError } from './usage-error.mjs'

export const known = {
  editor: { variable: 'PORT', byDefault: 1880, what: 'the editor' },
  plc: { variable: 'PLC_PORT', byDefault: 1502, what: 'the simulated PLC' },
  device: { variable: 'DEVICE_PORT', byDefault: 8100, what: 'the virtual device' },
}

/** From the environment, or by default. */
export function portsFrom(env) {
  const ports = Object.entries(known).map(([name, port]) => {
    const text = env[port.variable] || String(port.byDefault)
    const number = /^\d+$/.test(text) ? Number(text) : NaN
    if (!(number >= 1 && number <= 65535))
      throw new UsageError(`${port.variable}=${text} is not a port. Give a number from 1 to 65535.`)
    return [name, { ...port, number }]
  })
  for (const [name, port] of ports) {
    const twin = ports.find(([other, { number }]) => other !== name && number === port.number)
    if (twin)
      throw new UsageError(
        `${port.variable} and ${twin[1].variable} are both ${port.number}. Give each its own port.`,
      )
  }
  return Object.fromEntries(ports)
}

/** @throws a sentence for the first port in use on 127.0.0.1 */
export async function checkPorts(ports) {
  for (const { number, variable, what } of Object.values(ports)) {
    const code = await tryPort(number)
    if (!code) continue
    const trouble = code === 'EADDRINUSE' ? 'is in use' : `cannot be opened (${code})`
    const other = number < 65000 ? number + 100 : number - 100
    throw new UsageError(
      `Port ${number} for ${what} ${trouble}. Choose another: ${variable}=${other} npm start`,
    )
  }
}

function tryPort(number) {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', (error) => resolve(error.code))
    server.listen(number, '127.0.0.1', () => server.close(() => resolve(undefined)))
  })
}

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { installed, words, type PlcPeer } from './peer'

type Variant = { dataType: string; value: number }
interface Variable {
  nodeId: string
  browseName: string
  dataType: string
  minimumSamplingInterval: number
  value: { get: () => unknown; set: (given: Variant) => unknown }
}
interface Server {
  initialize: () => Promise<void>
  start: () => Promise<void>
  shutdown: (delay: number) => Promise<void>
  engine: {
    addressSpace: {
      registerNamespace: (uri: string) => {
        index: number
        addVariable: (options: Variable & { organizedBy: unknown }) => void
      }
      rootFolder: { objects: unknown }
    }
  }
}

const types = { UINT: 'UInt16', INT: 'Int16', REAL: 'Float' } as const

/** A PLC with an OPC UA server, by `node-opcua-server`. */
export function opcuaPeer(port: number): PlcPeer {
  const values = new Map<string, number>()
  let server: Server | undefined
  // Its certificates.
  const home = mkdtempSync(join(tmpdir(), 'cellsight-opcua-'))
  process.once('exit', () => rmSync(home, { recursive: true, force: true }))

  async function start() {
    process.env['HOME'] = home
    process.env['XDG_CONFIG_HOME'] = home
    const { OPCUAServer } = installed('node-opcua-server') as { OPCUAServer: new (options: object) => Server }
    const { nodesets } = installed('node-opcua-nodesets') as { nodesets: { standard: string } }
    const { Variant, DataType } = installed('node-opcua-variant') as {
      Variant: new (options: object) => unknown
      DataType: Readonly<Record<string, number>>
    }
    const { StatusCodes } = installed('node-opcua-status-code') as { StatusCodes: { Good: unknown } }
    const opened = (server = new OPCUAServer({
      port,
      host: '127.0.0.1',
      hostname: '127.0.0.1',
      nodeset_filename: [nodesets.standard],
      maxConnectionsPerEndpoint: 50,
      serverInfo: { applicationUri: 'urn:cell' },
    }))
    await opened.initialize()
    const { addressSpace } = opened.engine
    const namespace = addressSpace.registerNamespace('urn:cell:plc')
    for (const [name, [, type]] of Object.entries(words))
      namespace.addVariable({
        organizedBy: addressSpace.rootFolder.objects,
        nodeId: `ns=${namespace.index};s=Cell.${name}`,
        browseName: name,
        dataType: types[type],
        minimumSamplingInterval: 10,
        value: {
          get: () => new Variant({ dataType: DataType[types[type]], value: values.get(name) ?? 0 }),
          set: ({ value }) => {
            values.set(name, value)
            return StatusCodes.Good
          },
        },
      })
    await opened.start()
  }
  return {
    start,
    stop: () => server?.shutdown(0) ?? Promise.resolve(),
    forget: () => values.clear(),
    set: (name, value) => void values.set(name, value),
    get: (name) => values.get(name) ?? 0,
  }
}

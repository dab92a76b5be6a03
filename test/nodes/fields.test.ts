import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createContext, runInContext } from 'node:vm'
import should from 'should'
import { callServiceFields } from '../../nodes/call-service/fields'
import { deviceConfigFields, deviceCredentials } from '../../nodes/device-config/fields'
import { getParameterFields } from '../../nodes/get-parameter/fields'
import { setParameterFields } from '../../nodes/set-parameter/fields'
import { virtualDeviceFields } from '../../nodes/virtual-device/fields'

const fieldsOf: Record<string, object> = {
  'call-service': callServiceFields,
  'device-config': deviceConfigFields,
  'get-parameter': getParameterFields,
  'set-parameter': setParameterFields,
  'virtual-device': virtualDeviceFields,
}

interface Definition {
  defaults: Record<string, { value: unknown }>
  credentials?: object
}

/** What the dialog of a node registers, read from its file as the editor would run it. */
function dialogOf(node: string): { type: string; definition: Definition } {
  const html = readFileSync(join(__dirname, '..', '..', 'nodes', node, `${node}.html`), 'utf8')
  const registered: { type: string; definition: Definition }[] = []
  const anything: unknown = new Proxy(() => undefined, { get: () => anything, apply: () => anything })
  const RED = {
    nodes: {
      registerType: (type: string, definition: Definition) => registered.push({ type, definition }),
    },
    _: (key: string) => key,
  }
  const context = createContext({ RED, visionDialogs: anything, $: anything, window: {}, document: {} })
  for (const [, script = ''] of html.matchAll(/<script type="text\/javascript">([\s\S]*?)<\/script>/g))
    runInContext(script, context)
  const [only] = registered
  if (!only || registered.length > 1) throw new Error(`${node}.html must register one type`)
  return only
}

describe('the fields of every node', () => {
  for (const [node, fields] of Object.entries(fieldsOf)) {
    it(`are the same in dialog and runtime: ${node}`, () => {
      const { type, definition } = dialogOf(node)
      type.should.equal(`vision-${node}`)
      const defaults = Object.fromEntries(
        Object.entries(definition.defaults).map(([name, { value }]) => [name, value]),
      )
      defaults.should.eql(fields)
    })
  }

  it('do not use names that Node-RED keeps for itself', () => {
    for (const name of Object.values(fieldsOf).flatMap((fields) => Object.keys(fields)))
      should(['users', 'valid', 'changed', 'id', 'type', 'x', 'y', 'z', 'wires'].includes(name)).be.false(
        name,
      )
  })
})

describe('the credentials of a device', () => {
  it('are declared in the dialog as in the runtime', () =>
    // From another context, so with other prototypes.
    should({ ...structuredClone(dialogOf('device-config').definition.credentials) }).eql(deviceCredentials))
})

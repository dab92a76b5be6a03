import { createRequire } from 'node:module'
import type { NodeAPI, NodeInitializer } from 'node-red'
import should from 'should'
import { startVirtualDevice, type VirtualDevice } from '../../virtual-device'
import { request, jsonRequest, type AdminAnswer } from '../support/admin'
import { nodeNames } from '../support/dialog-source'
import { startNodeRed, type NodeRed } from '../support/node-red'

interface Route {
  method: string
  path: string
  permission: unknown
}

/** The routes that all nodes of the package register when Node-RED loads them. */
function routesOfThePackage(): Route[] {
  const routes: Route[] = []
  let required: unknown
  /** What a request without anything is asked for. */
  const register = (method: string) => (path: string, guard?: (request: object) => void) => {
    required = undefined
    guard?.({ headers: {} })
    routes.push({ method, path, permission: required })
  }
  const httpAdmin = new Proxy({}, { get: (_, method) => register(String(method).toUpperCase()) })
  const needsPermission = (permission: string) => () => {
    required = permission
  }
  const nodes = { registerType: () => undefined }
  const events = { on: () => undefined }
  const RED = { httpAdmin, auth: { needsPermission }, nodes, events, settings: {} }
  for (const node of nodeNames) {
    const { default: initialize } = createRequire(__filename)(`../../nodes/${node}/${node}`) as {
      default: NodeInitializer
    }
    void initialize(RED as unknown as NodeAPI)
  }
  return routes
}

const routes = routesOfThePackage()
/** Of the password "pw". */
const password = '$2b$04$O9WGcR74VK1mP8vCjWyGSuqTtYBj9U2JlhOL8dp/lIl7kPWkgdq5S'
const users = { stranger: 'flows.read', reader: 'vision.read', writer: ['vision.read', 'vision.write'] }
const adminAuth = {
  type: 'credentials',
  users: Object.entries(users).map(([username, permissions]) => ({ username, password, permissions })),
}
const handshake = { id: 'plc', type: 'vision-plc-handshake', name: '' }
const tab = { id: 'tab', type: 'tab', label: 'Cell' }
const calibration = {
  ...{ id: 'calibration', type: 'vision-hand-eye-calibration', name: '', gridWidth: 200, gridHeight: 100 },
  ...{ z: 'tab', x: 100, y: 100, wires: [[], [], []] },
}
const config = { id: 'device', type: 'vision-device-config', name: '' }

describe('the routes of the editor', () => {
  let device: VirtualDevice
  let red: NodeRed
  const tokens: Record<string, string> = {}

  before(async () => {
    device = await startVirtualDevice({ port: 0, imagePort: 0 })
    red = await startNodeRed({
      flows: [
        { ...config, address: device.url, imagePort: device.ports.images?.port },
        handshake,
        tab,
        calibration,
      ],
      settings: { adminAuth, httpAdminRoot: '/cell' },
    })
    for (const username of Object.keys(users)) {
      const login = {
        client_id: 'node-red-admin',
        grant_type: 'password',
        scope: '',
        username,
        password: 'pw',
      }
      const { body } = await request(`${red.url}/auth/token`, jsonRequest(login))
      tokens[username] = (body as { access_token: string }).access_token
    }
  })
  after(async () => {
    await red.stop()
    await device.stop()
  })

  const body = {
    device: { address: '' },
    input: { pipeline: '0', node: 'dev_camera', param: 'fps', value: 9 },
  }

  function walk({ method, path }: Route, user: string): Promise<AdminAnswer> {
    const operation = path.includes('/call/') ? 'setParameter' : 'getSystem'
    const place = path
      .replace(':device', 'device')
      .replace(':operation', operation)
      .replace(':handshake', handshake.id)
      .replace(':calibration', calibration.id)
    const authorization = tokens[user] ? { authorization: `Bearer ${tokens[user]}` } : {}
    const question = { host: '127.0.0.1', port: device.port }
    const given = {
      ...(path.endsWith('/port') ? question : { device: { address: device.url } }),
      input: path.includes('/call/') ? body.input : {},
      camera: { width: 640, height: 480, focalLength: 500, principalPoint: { u: 320, v: 240 } },
    }
    return request(`${red.url}${place}`, {
      ...(method === 'GET' ? {} : jsonRequest(given)),
      method,
      headers: { 'content-type': 'application/json', ...(authorization as Record<string, string>) },
    })
  }

  it('all require one of two permissions, and only reads of running devices require the lesser', () => {
    routes.length.should.be.above(4)
    for (const { method, path, permission } of routes) {
      path.should.startWith('/vision-devices/')
      should(permission).equal(method === 'GET' ? 'vision.read' : 'vision.write', `${method} ${path}`)
    }
  })

  for (const route of routes) {
    const name = `${route.method} ${route.path}`

    it(`${name}: refuses users without a login or permission`, async () => {
      for (const user of ['nobody', 'stranger']) {
        const before = device.calls().length
        should(await walk(route, user)).match({ status: 401, body: /^(Unauthorized)?$/ })
        device.calls().length.should.equal(before)
      }
    })

    it(`${name}: lets a reader read, but not write`, async () => {
      const before = device.calls().length
      const { status } = await walk(route, 'reader')
      status.should.equal(route.method === 'GET' ? 200 : 401)
      if (route.method !== 'GET') device.calls().length.should.equal(before)
    })

    it(`${name}: lets a writer do both`, async () => {
      const { status, body: answer } = await walk(route, 'writer')
      // No PLC is there that could allow a trigger by hand, and no robot that asks: the permission was enough to be told so.
      const told: Record<string, number> = { trigger: 400, order: 409, 'plc-test': 400 }
      status.should.equal(told[route.path.split('/').at(-1) ?? ''] ?? 200, JSON.stringify(answer))
    })
  }
})

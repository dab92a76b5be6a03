import { Type } from '../../typebox'

const HostPort = Type.Object({ port: Type.Integer(), protocol: Type.String() })

const Container = Type.Object({
  name: Type.String(),
  status: Type.String(),
  host_ports: Type.Array(HostPort),
})

const App = Type.Object({
  name: Type.String(),
  type: Type.String({ description: 'container or compose' }),
  containers: Type.Array(Container),
})

/** Addresses, `http://proxy:3128`; empty if there is none. */
export const UserSpaceProxy = Type.Object({ http_proxy: Type.String(), https_proxy: Type.String() })

export const UserSpace = Type.Object({
  apps: Type.Array(App),
  available: Type.Boolean(),
  enabled: Type.Boolean(),
  proxy: Type.Optional(UserSpaceProxy),
})

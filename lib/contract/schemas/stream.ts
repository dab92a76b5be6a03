import { Type, type Static } from '../../typebox'

export const StreamName = Type.String({ minLength: 1, description: 'name of a data stream' })

export const Destination = Type.String({ minLength: 1, description: '<ip>:<port>' })

export const Stream = Type.Object({
  name: Type.String(),
  description: Type.String(),
  destinations: Type.Array(Type.String({ description: '<ip>:<port>' })),
  protobuf: Type.String({ description: 'message type: Frame, Imu or Dynamics' }),
  protocol: Type.String({ description: 'UDP' }),
})
export type Stream = Static<typeof Stream>

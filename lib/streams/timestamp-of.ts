import type { Dynamics, Frame, Imu, StreamMessages, Time } from '../codec/streams'

/** When the device measured a message's content, by the device's time. */
export const timestampOf: {
  readonly [Type in keyof StreamMessages]: (message: StreamMessages[Type]) => Time | undefined
} = {
  Frame: ({ pose }: Frame) => pose?.timestamp,
  Dynamics: ({ timestamp }: Dynamics) => timestamp,
  Imu: ({ timestamp }: Imu) => timestamp,
}

import { composed, type Pose } from '../../lib/robotics/pose'

/** The left camera in the frame of the inertial sensor, which lies as the device does: x ahead, z up. Metres. */
export const cameraInImu: Pose = {
  position: { x: 0.0091, y: 0.0325, z: -0.0124 },
  // The camera's own axes: x to the right, y down, z ahead.
  orientation: { w: 0.5, x: -0.5, y: 0.5, z: -0.5 },
}

/** The device is carried round a circle of this radius, metres, in this time, seconds. */
const radius = 0.2
const round = 20

/** The inertial sensor in the world, which lies where the sensor was when the estimation began. */
function imuInWorld(seconds: number): Pose {
  const angle = (2 * Math.PI * seconds) / round
  const yaw = 0.2 * Math.sin(angle)
  return {
    position: {
      x: radius * Math.sin(angle),
      y: radius * (1 - Math.cos(angle)),
      z: 0.02 * Math.sin(2 * angle),
    },
    orientation: { w: Math.cos(yaw / 2), x: 0, y: 0, z: Math.sin(yaw / 2) },
  }
}

/** The left camera in the world, so many seconds after the estimation began. */
export const cameraInWorld = (seconds: number): Pose => composed(imuInWorld(seconds), cameraInImu)

import { composed } from '../../lib/robotics'
import { Robot } from '../../lib/robot-motion'
import { universalRobot } from '../../lib/universal-robots/universal-robot'

/** A process that moves a robot and is killed while it does. It is told the ports, and where to, in its arguments. */
async function main([ports = '', metres = '', speed = '']: string[]): Promise<void> {
  const limits = { speed: Number(speed), acceleration: 1, step: 1, turn: 60 }
  const driver = universalRobot({
    ...(JSON.parse(ports) as { rtdePort: number; primaryPort: number; dashboardPort: number }),
    ...{ host: '127.0.0.1', mayMove: true },
  })
  let up: () => void = () => undefined
  const isUp = new Promise<void>((resolve) => (up = resolve))
  const robot = new Robot(driver, { mayMove: true, limits }, { onLink: ({ is }) => is === 'up' && up() })
  await isUp
  const state = await robot.read()
  await robot.confirmPose(state)
  const upwards = { position: { x: 0, y: 0, z: Number(metres) }, orientation: { w: 1, x: 0, y: 0, z: 0 } }
  await robot.moveAlong([composed(upwards, state.flange)])
  await robot.close()
}

void main(process.argv.slice(2))

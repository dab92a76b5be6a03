import type { Arm } from './control/arm'

/** All that is true about an arm: metres, radians and seconds. */
export function armTruth(arm: Arm): object {
  arm.advance()
  const { controller, name, isRemote, link } = arm
  const { flange, tcp, tool, joints, speeds, tcpSpeed, excursion, motions, moves } = controller.drive
  const { power, safety, runtime, payload, slider, scaling, time, digitalOutputs } = controller
  return {
    ...{ model: name, generation: controller.model.generation, remote: isRemote, link, time },
    ...{
      mode: power.mode,
      safety: safety.mode,
      runtime,
      program: controller.programName ?? null,
      moves,
      motions,
    },
    ...{ joints, joint_speeds: speeds, flange, tcp, tcp_offset: tool, tcp_speed: tcpSpeed },
    ...{ payload, slider, scaling, digital_outputs: digitalOutputs },
    /** The box in which the flange has been since the start. */
    excursion: { least: excursion.least, most: excursion.most },
  }
}

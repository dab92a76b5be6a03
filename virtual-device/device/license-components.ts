import type { Variant } from '../../lib/contract'
import type { Module } from '../module'

const alwaysThere: Readonly<Record<Variant, readonly string[]>> = {
  single: [
    'calibration',
    'fusion',
    'hand_eye_calibration',
    'rectification',
    'self_calibration',
    'slam',
    'stereo',
    'svo',
  ],
  multi: ['generic_robot_interface', 'hand_eye_calibration', 'rectification', 'stereo'],
}

/** The components that a device's license can contain: the specification's and those that its modules require. */
export const licenseComponents = (variant: Variant, modules: readonly Module[]): string[] => {
  const asked = modules.flatMap(({ license, extensions = [], parameters, services }) => [
    ...[license ?? []].flat(),
    ...extensions,
    ...parameters.map((parameter) => parameter.license?.component),
    ...Object.values(services).flatMap((service) => service.license),
  ])
  const named = asked.filter((component) => component !== undefined)
  return [...new Set([...alwaysThere[variant], ...named.sort()])]
}

/** Units of what a service takes, by the last names of the path; devices tell types alone. */
const units: readonly (readonly [unit: string, ...paths: string[]])[] = [
  [
    'm',
    ...vectors('position', 'box', 'inner_dimensions', 'outer_dimensions', 'dimensions', 'min_dimensions'),
    ...vectors('max_dimensions', 'rim_thickness', 'rim_ledge', 'pre_grasp_offset', 'distance_to_point.point'),
    ...['sphere.radius', 'cylinder.radius', 'cylinder.height', 'flange_radius', 'rim_step_height'],
    ...['height_open_side', 'suction_surface_length', 'suction_surface_width', 'plane.distance'],
  ],
  ['px', ...['offset_x', 'offset_y', 'width', 'height'].map((side) => `region_of_interest_2d.${side}`)],
]

/** Endings of names that tell the unit: `dimensions_tolerance_m`, `step_x_deg`. */
const endings = { _m: 'm', _deg: '°', _degree: '°', _meter: 'm' }

/** The unit of an argument of a service, `pose.position.x`; undefined where it has none or none is known. */
export function argumentUnit(path: string): string | undefined {
  const found = units.find(([, ...known]) => known.some((name) => path === name || path.endsWith(`.${name}`)))
  if (found) return found[0]
  return Object.entries(endings).find(([ending]) => path.endsWith(ending))?.[1]
}

function vectors(...names: string[]): string[] {
  return names.flatMap((name) => ['x', 'y', 'z'].map((axis) => `${name}.${axis}`))
}

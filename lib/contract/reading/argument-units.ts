/** Units of service arguments, by the last names of the path; devices report only types. */
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

/** Name endings that give the unit: `dimensions_tolerance_m`, `step_x_deg`. */
const endings = { _m: 'm', _deg: '°', _degree: '°', _meter: 'm' }

/** The unit of a service argument, `pose.position.x`; undefined if it has none or it is unknown. */
export function argumentUnit(path: string): string | undefined {
  const found = units.find(([, ...known]) => known.some((name) => path === name || path.endsWith(`.${name}`)))
  if (found) return found[0]
  return Object.entries(endings).find(([ending]) => path.endsWith(ending))?.[1]
}

function vectors(...names: string[]): string[] {
  return names.flatMap((name) => ['x', 'y', 'z'].map((axis) => `${name}.${axis}`))
}

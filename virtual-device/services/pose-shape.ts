export const vectorShape = { x: 'float64', y: 'float64', z: 'float64' } as const
export const poseShape = {
  orientation: { w: 'float64', x: 'float64', y: 'float64', z: 'float64' },
  position: vectorShape,
} as const

/**
 * The groups of the palette, in its order, each with the colour of its nodes: tones of one family, light enough for
 * Node-RED's dark label in either theme. Which nodes follow each other, `node-red.nodes` in `package.json` decides.
 */
export const paletteGroups = {
  acquire: '#46B1B9',
  configure: '#86C9CD',
  calibrate: '#7CC7A2',
  streams: '#79B4E3',
  maintenance: '#94ABC6',
  virtual: '#B7BDC4',
} as const satisfies Record<string, `#${string}`>

export type PaletteGroup = keyof typeof paletteGroups

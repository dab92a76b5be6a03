/**
 * The groups of the palette in order, each with the colour of its nodes: tones of one family, light enough for
 * Node-RED's dark labels in either theme. `node-red.nodes` in `package.json` sets the order of the nodes.
 */
export const paletteGroups = {
  acquire: '#46B1B9',
  configure: '#86C9CD',
  calibrate: '#7CC7A2',
  cell: '#A6C48A',
  streams: '#79B4E3',
  maintenance: '#94ABC6',
  virtual: '#B7BDC4',
} as const satisfies Record<string, `#${string}`>

export type PaletteGroup = keyof typeof paletteGroups

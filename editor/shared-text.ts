/** A text that several nodes share, from the catalog of device-config. */
export const sharedText = (key: string, values?: Record<string, string | number>): string =>
  RED._(`@cellsight/node-red-vision/device-config:device-config.${key}`, values)

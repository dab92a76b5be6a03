import type { Translator } from '../../plc/translator'

/** A text of the panel of a handshake, which the sidebar shows in lines. */
export const told: Translator = (key, values) =>
  RED._(`@cellsight/node-red-vision/plc-handshake:plc-handshake.panel.${key}`, values)

export { codeNameText, codeText } from './language'
export {
  mapTable,
  type MapTableRow,
  type PageOptions,
  shortMeaningOf,
  writeCsv,
  writePage,
} from './map-texts'
export type { NamedProtocol, ProgramProtocol } from './named-memory'
export { programLanguages, writeProgram, type ProgramLanguage, type ProgramOptions } from './write-program'

export { mapTable, type MapTableRow } from './map-table'
export { writeCsv } from './write-csv'
export { writePage, type PageOptions } from './write-page'
export { programLanguages, writeProgram, type ProgramLanguage } from './write-program'

export { openExporter, type Exporter, type ExporterOptions } from './exporter'
export type { LogRecord, ToldLog } from './log-record'

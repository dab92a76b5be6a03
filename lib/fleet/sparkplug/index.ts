export {
  commandStateMetric,
  deviceMetrics,
  isAlive,
  type DeviceExtras,
  type ParameterReading,
} from './device-metrics'
export { EdgeNode, rebirthMetric, type EdgeConnection, type EdgeNodeOptions } from './edge-node'
export type { EdgeDevice } from './edge-voice'
export { readHostState } from './host-state'
export type { Metric, ReadPayload } from './payload'
export { readPayload } from './read-payload'
export { isSparkplugId, isSparkplugTopic, readSparkplugTopic, sparkplugIds } from './topics'
export { writesIn, type SparkplugWrite } from './writes-in'

export {
  commandStateMetric,
  deviceMetrics,
  isAlive,
  type DeviceExtras,
  type ParameterReading,
} from './metrics'
export { EdgeNode, rebirthMetric, type EdgeConnection, type EdgeNodeOptions } from './edge-node'
export type { EdgeDevice } from './edge-node'
export { readHostState } from './edge-node'
export type { Metric, ReadPayload } from './payload'
export { readPayload } from './payload'
export { isSparkplugId, isSparkplugTopic, readSparkplugTopic, sparkplugIds } from './edge-node'
export { writesIn, type SparkplugWrite } from './metrics'

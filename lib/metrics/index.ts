/**
 * Series with labels, bounded in number, and the text format of Prometheus. In: counts and values. Out: text. Knows neither
 * devices nor Node-RED.
 */
export {
  Counter,
  type Families,
  type Family,
  type Labels,
  Histogram,
  metricsText,
  SeriesGroup,
  type Sample,
} from './series'

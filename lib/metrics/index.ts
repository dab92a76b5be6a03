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

/** Everything that the page needs once there is something to show: loaded then, with linear algebra and images. */
export { buttonsOf, pageOf, plotsOf } from './page-of'
export { patternOf, viewOf } from './view-of'

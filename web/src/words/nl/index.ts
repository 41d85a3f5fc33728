export { shell } from './shell';
export { chat } from './chat';
export { compose } from './compose';
export { asks } from './asks';
export { runs } from './runs';
export { tree } from './tree';
export { states } from './states';
export { markdown } from './markdown';

// What a person chose about how conversations look. It is the same in all their browsers.
import { mine } from '../lib/mine.svelte';

export const settings = {
  get hidePhases(): boolean {
    return mine.get('hidePhases') === true;
  },
  toggle() {
    mine.set('hidePhases', !this.hidePhases);
  },
};

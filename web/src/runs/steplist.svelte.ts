// The steps of one run, read again when the run grows.
import { house } from '../lib/house.svelte';
import { readSteps, type Step } from './steps';

export class StepList {
  steps = $state.raw<readonly Step[]>([]);
  failure = $state.raw<unknown>();
  /** It has been read to its end once. */
  ready = $state(false);
  readonly #run: string;
  readonly #left = new AbortController();
  #reading = false;
  #again = false;

  constructor(run: string) {
    this.#run = run;
    void this.read();
  }

  leave() {
    this.#left.abort();
  }

  /** read takes what came since. Calls while it reads are one more reading. */
  async read() {
    this.#again = true;
    if (this.#reading) return;
    this.#reading = true;
    try {
      while (this.#again) {
        this.#again = false;
        for await (const steps of readSteps(house.rein, this.#run, this.steps, this.#left.signal)) this.steps = steps;
      }
      this.failure = undefined;
      this.ready = true;
    } catch (err) {
      if (!this.#left.signal.aborted) this.failure = err;
    } finally {
      this.#reading = false;
    }
  }
}

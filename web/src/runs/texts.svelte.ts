// The texts of steps that are compared: read a few at a time, and only what is compared is kept.
import type { StepDetail } from 'rein-client';
import { house } from '../lib/house.svelte';
import { isOpen, type Step } from './steps';
import { pretty } from './text';

const atOnce = 4;

/** textOf is what a step led to, as one text. */
export function textOf(detail: StepDetail): string {
  const calls = (detail.reply?.calls ?? []).map((call) => `${call.name} ${pretty(call.raw_args ?? call.args ?? {})}`);
  const parts = [detail.reply?.text, ...calls, detail.partial, argsOf(detail), detail.result?.text, detail.answer?.text, ...(detail.items ?? []).map((item) => item.text), detail.outcome?.text, detail.step.failure?.msg];
  return parts.filter(Boolean).join('\n\n');
}

function argsOf(detail: StepDetail): string {
  if (detail.step.verb !== 'tool') return '';
  const call = detail.call as { args?: unknown; raw_args?: unknown } | undefined;
  const args = detail.args ?? call?.raw_args ?? call?.args;
  return args === undefined ? '' : pretty(args);
}

export class Texts {
  /** By key. A step that cannot be read has an empty text. */
  byKey = $state.raw<ReadonlyMap<string, string>>(new Map());
  readonly #run: string;
  readonly #left = new AbortController();
  readonly #asked = new Set<string>();
  #queue: string[] = [];
  #working = 0;

  constructor(run: string) {
    this.#run = run;
  }

  leave() {
    this.#left.abort();
    this.#queue = [];
  }

  /** want reads the texts of steps that have ended. */
  want(steps: readonly Step[]) {
    for (const step of steps) {
      if (isOpen(step) || this.#asked.has(step.key)) continue;
      this.#asked.add(step.key);
      this.#queue.push(step.key);
    }
    while (this.#working < atOnce && this.#queue.length) void this.#work();
  }

  async #work() {
    this.#working++;
    for (let key = this.#queue.shift(); key !== undefined; key = this.#queue.shift()) {
      const text = await house.rein.showStep(this.#run, key, { signal: this.#left.signal }).then(textOf, () => '');
      if (this.#left.signal.aborted) break;
      this.byKey = new Map(this.byKey).set(key, text);
    }
    this.#working--;
  }
}

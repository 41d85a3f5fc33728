// The steps of a run as GET /v1/runs/{id}/steps gives them, kept as the run goes on.
import type { Rein, Step } from 'rein-client';

export type { Step, StepDetail } from 'rein-client';

/** isOpen reports whether more of a step may come. */
export const isOpen = (step: Step) => step.state === 'running' || step.state === 'waiting';

/** merge puts the steps of a later read in the place of the same ones, and new ones at the end. */
export function merge(steps: readonly Step[], read: readonly Step[]): Step[] {
  const at = new Map(steps.map((step, i) => [step.key, i]));
  const merged = [...steps];
  for (const step of read) {
    const i = at.get(step.key);
    if (i === undefined) at.set(step.key, merged.push(step) - 1);
    else if (merged[i]!.last !== step.last || merged[i]!.state !== step.state) merged[i] = step;
  }
  return merged;
}

/** before is the key after which a read must begin to see everything that may have changed. */
export function before(steps: readonly Step[]): string {
  const open = steps.findIndex(isOpen);
  const last = open < 0 ? steps.length : open;
  return last > 0 ? steps[last - 1]!.key : '';
}

/** readSteps reads what came since, a page at a time. */
export async function* readSteps(rein: Rein, run: string, known: readonly Step[], signal?: AbortSignal): AsyncGenerator<Step[]> {
  let steps = [...known];
  let after = before(known);
  for (;;) {
    const page = await rein.listSteps(run, { after, limit: 500 }, signal ? { signal } : {});
    steps = merge(steps, page.steps);
    yield steps;
    if (!page.next) return;
    after = page.next;
  }
}

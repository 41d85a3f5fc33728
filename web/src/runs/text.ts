// What people see of a step: its name, and JSON that can be read.
import type { Step } from './steps';
import type { Words } from '../words/index.svelte';

/** nameOf says in a few words what a step is: the tool that it calls, the phase that it is in, or what it asked for. */
export function nameOf(step: Step, words: Words['runs']): string {
  if (step.tool) return step.tool;
  if (step.child && step.verb) return `${words.verbs[step.verb]} ${step.child}`;
  if (step.verb === 'model') return step.phase || words.verbs.model;
  return step.verb ? words.verbs[step.verb] : step.key;
}

/** pretty writes any value of JSON. A string that holds JSON is shown as what it holds. */
export function pretty(value: unknown): string {
  if (typeof value !== 'string') return JSON.stringify(value, null, 2) ?? '';
  const text = value.trim();
  if (!/^[[{]/.test(text)) return value;
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return value;
  }
}

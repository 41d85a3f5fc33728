// The words of states, the same everywhere (design: "Words of states").
export const states = {
  ready: 'starting',
  running: 'running',
  waitingForYou: 'waiting for you',
  waitingFor: (what: string) => `waiting for ${what}`,
  waiting: 'waiting',
  paused: 'paused',
  blocked: 'blocked: the program changed',
  done: 'done',
  limit: 'done, at its limit',
  declined: 'declined',
  stopped: 'stopped',
  cancelled: 'stopped at once',
  deleted: 'deleted',
  failed: 'failed',
};

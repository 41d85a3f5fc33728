// How a message reaches the server: it steers the run that is active in the session, or starts one.
import { ReinError, type Image, type Rein, type Task } from 'rein-client';

export interface Message {
  session: string;
  /** The ID of the run that it starts. The same message has the same one, however often it is sent. */
  run: string;
  text: string;
  /** For a run that it starts: what the model sees beside the text. */
  images: readonly Image[];
  /** For a run that it starts: how it works. */
  task: Partial<Task>;
  preset?: string;
}

/** send returns the run that the message started or that reads it. */
export async function send(rein: Rein, message: Message): Promise<{ run: string; started: boolean }> {
  if (message.images.length) {
    try {
      return await startWithImages(rein, message);
    } catch (err) {
      if (!(err instanceof ReinError && err.code === 'busy')) throw err;
    }
  }
  const { session, run, text, task, preset } = message;
  const receipt = await rein.say(session, { text, id: run, task: taskOf(task), ...(preset ? { preset } : {}) });
  return receipt.started ? { run: receipt.started, started: true } : { run: runOf(receipt.command), started: false };
}

/** A message to a session has no images, so these start a run with a task. */
async function startWithImages(rein: Rein, { session, run, text, images, task, preset }: Message) {
  const messages: Task['messages'] = [{ role: 'user', text, images: [...images] }];
  const started = await rein.startRun({ id: run, task: taskOf({ ...task, session, messages }), ...(preset ? { preset } : {}) });
  return { run: started.id, started: true };
}

/** An empty flow is the server's default. */
function taskOf(task: Partial<Task>): Task {
  return { ...task, flow: task.flow ?? '' };
}

/** The ID of a command is RUN:NUMBER. */
function runOf(command: string): string {
  return command.slice(0, command.lastIndexOf(':'));
}

// Sends the answer to an ask: to exactly what was shown, and with what became of it if somebody else was first.
import { ReinError, type Ask, type NewAnswer, type Rein } from 'rein-client';

export type Said = Omit<NewAnswer, 'shown' | 'by' | 'key'>;

export type Outcome =
  | { kind: 'done'; ask: Ask } // it is over, by this answer
  | { kind: 'late'; ask: Ask } // it was over before
  | { kind: 'changed'; ask: Ask } // it shows something else than what was answered
  | { kind: 'refused'; error: ReinError };

/** send answers what the ask shows. What is not about this answer, such as a lost connection, is thrown. */
export async function send(rein: Rein, ask: Ask, said: Said): Promise<Outcome> {
  try {
    await rein.answerAsk(ask.id, { ...said, shown: ask.shown ?? '' });
  } catch (err) {
    if (!(err instanceof ReinError)) throw err;
    if (err.status === 409) return after(rein, ask, err);
    if (err.status === 400 || err.status === 422) return { kind: 'refused', error: err };
    throw err;
  }
  return { kind: 'done', ask: await rein.showAsk(ask.id) };
}

async function after(rein: Rein, ask: Ask, error: ReinError): Promise<Outcome> {
  const now = await rein.showAsk(ask.id);
  if (now.state !== 'pending') return { kind: 'late', ask: now };
  return now.shown === ask.shown ? { kind: 'refused', error } : { kind: 'changed', ask: now };
}
